import { releaseJobs } from '#data/jobs/hold.ts'
import { hasEnded } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { findEntry, removeEntry, saveEntry, toEntry, type CountedHits } from '#data/library/entries.ts'
import { recordingState } from '#data/library/recording-state.ts'
import { readLifecycle } from '#data/recordings/lifecycle.ts'
import { currentTranscription } from '#data/recordings/versions.ts'
import type { CurrentRecording, LibraryStep } from './changed-recording.ts'
import { countHits } from './count-hits.ts'

/**
 * Returns the step that writes the entry of a recording in the library of its owner, and counts its hits where its text changed. It is the
 * last one: the entry says whether everything is derived.
 */
export function createWriteEntry(queue: Queue): LibraryStep {
  const { connection } = queue

  return async ({ id, ownerId, hasFailed = false, current }) => {
    if (!current) return removeEntry(connection, ownerId, id)
    const { recording, jobs } = current
    // A crash interrupted a restore and left jobs held.
    if (jobs.some((job) => job.isHeld && !hasEnded(job))) await releaseJobs(queue, ownerId, [id])
    const { languages = [] } = currentTranscription(recording, jobs) ?? {}
    const found = { state: recordingState(jobs), languages }
    const stored = await findEntry(connection, recording)
    const entry = toEntry(recording, found, await countedHits(current, stored))
    await saveEntry(connection, entry, { stored, isDerived: !hasFailed })
    if (stored) return
    // The account may have been closed in the meantime, and nothing would empty an entry written after that.
    const lifecycle = await readLifecycle(connection, { ownerId, recordingId: id })
    if (lifecycle === 'gone') await removeEntry(connection, ownerId, id)
  }
}

async function countedHits(current: CurrentRecording, stored: CountedHits | null): Promise<CountedHits> {
  const countedText = await current.readTextId()
  // Keywords that changed since are counted by recount-hits.ts.
  if (stored?.countedText === countedText && stored.countedKeywords !== '') {
    const { hits, countedKeywords } = stored
    return { hits, countedText, countedKeywords }
  }
  const { hash, find } = await current.readKeywords()
  return { hits: await countHits(current, find), countedText, countedKeywords: hash }
}
