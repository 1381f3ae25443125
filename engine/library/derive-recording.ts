import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import { applyLifecycles } from '#data/library/apply-lifecycles.ts'
import { findWithLifecycle, readState } from '#data/recordings/lifecycle.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { openTranscripts } from '#data/recordings/stored-transcripts.ts'
import { rememberTranscripts } from '#data/recordings/transcript-source.ts'
import type { ChangedRecording, CurrentRecording, LibraryStep } from './changed-recording.ts'
import { identifyText } from './count-hits.ts'
import { readRecordingText } from './read-recording-text.ts'
import { readKeywordSet, type KeywordSet } from './keyword-set.ts'
import type { RecordingText } from './recording-text.ts'

interface Owned {
  id: string
  ownerId: string
}

/**
 * Derives everything from the current state of a recording. Data derived from a recording in the trash stays but is hidden; data derived
 * from a recording that is gone for good is removed. A recording that changes or leaves the library in the meantime is handled again, so
 * no step needs to worry about having written too late.
 */
export async function deriveRecording(
  queue: Queue,
  steps: LibraryStep[],
  { id, ownerId }: Owned,
  { isRepair }: Pick<ChangedRecording, 'isRepair'> = {},
): Promise<void> {
  const { connection } = queue
  for (;;) {
    const { lifecycle, recording } = await findWithLifecycle(connection, ownerId, id)
    if (lifecycle === 'trash') return applyLifecycles(queue, ownerId, [id])
    await runSteps(steps, { id, ownerId, isRepair, current: recording && (await readCurrent(queue, recording)) })
    if (lifecycle === 'gone') return
    const now = await readState(connection, { ownerId, recordingId: id })
    if (now.lifecycle === 'live' && now.version === recording.version) return
  }
}

/** Returns a recording with the data that its steps need. */
export async function readCurrent(queue: Queue, recording: RecordingRecord): Promise<CurrentRecording> {
  const jobs = await listJobsOfRecordings(queue, recording.ownerId, [recording.id])
  const transcripts = rememberTranscripts(openTranscripts(queue, recording.ownerId))
  let textId: Promise<string> | undefined
  let text: Promise<RecordingText> | undefined
  let keywords: Promise<KeywordSet> | undefined
  const readRevision = async (id: string) => (await transcripts.readLineEdits(id)).revision
  return {
    recording,
    jobs,
    transcripts,
    readTextId: () => (textId ??= identifyText({ recording, jobs }, readRevision)),
    readText: () => (text ??= readRecordingText(queue, recording, jobs, transcripts)),
    readKeywords: () => (keywords ??= readKeywordSet(queue.connection, recording.ownerId)),
  }
}

/** Runs all steps: one that fails does not hold up the others. */
async function runSteps(steps: LibraryStep[], changed: Parameters<LibraryStep>[0]): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps)
    await step({ ...changed, hasFailed: errors.length > 0 }).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}
