import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import { applyLifecycles } from '#data/library/apply-lifecycles.ts'
import { findWithLifecycle, readLifecycle } from '#data/recordings/lifecycle.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { ChangedRecording, CurrentRecording, LibraryStep } from './changed-recording.ts'
import { readRecordingText } from './read-recording-text.ts'
import type { RecordingText } from './recording-text.ts'

interface Owned {
  id: string
  ownerId: string
}

/**
 * Derives everything from a recording as it is now. What was derived from one in the trash stays, hidden; what was derived from one that is
 * gone for good is removed. One that leaves the library during that is handled again, so that no step need fear having written too late.
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
    if ((await readLifecycle(connection, { ownerId, recordingId: id })) === 'live') return
  }
}

/** Returns a recording with what its steps need of it. */
export async function readCurrent(queue: Queue, recording: RecordingRecord): Promise<CurrentRecording> {
  const jobs = await listJobsOfRecordings(queue, recording.ownerId, [recording.id])
  let text: Promise<RecordingText> | undefined
  return { recording, jobs, readText: () => (text ??= readRecordingText(queue, recording, jobs)) }
}

/** Runs all steps: one that fails holds up none of the others. */
async function runSteps(steps: LibraryStep[], changed: Parameters<LibraryStep>[0]): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps) await step(changed).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}
