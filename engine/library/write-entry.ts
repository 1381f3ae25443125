import { releaseJobs } from '#data/jobs/hold.ts'
import { hasEnded } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { findCountedHits, removeEntry, saveEntry, toEntry, type CountedHits } from '#data/library/entries.ts'
import { recordingState } from '#data/library/recording-state.ts'
import { readLifecycle } from '#data/recordings/lifecycle.ts'
import { currentTranscription } from '#data/recordings/versions.ts'
import type { CurrentRecording, LibraryStep } from './changed-recording.ts'
import { countHits, identifyText } from './count-hits.ts'
import { readKeywordSet } from './keyword-set.ts'

/** Returns the step that writes the entry of a recording in the library of its owner, and counts its hits where its text changed. */
export function createWriteEntry(queue: Queue): LibraryStep {
  const { connection } = queue

  async function countedHits(current: CurrentRecording): Promise<CountedHits> {
    const { recording } = current
    const [countedText, stored] = await Promise.all([
      identifyText(queue, current),
      findCountedHits(connection, recording),
    ])
    // Keywords that changed since are counted by recount-hits.ts.
    if (stored?.countedText === countedText && stored.countedKeywords !== '') return stored
    const { hash, find } = await readKeywordSet(connection, recording.ownerId)
    return { hits: await countHits(queue, current, find), countedText, countedKeywords: hash }
  }

  return async ({ id, ownerId, current }) => {
    if (!current) return removeEntry(connection, ownerId, id)
    const { recording, jobs } = current
    // A restoration that a crash interrupted.
    if (jobs.some((job) => job.isHeld && !hasEnded(job))) await releaseJobs(queue, ownerId, [id])
    const { languages = [] } = currentTranscription(recording, jobs) ?? {}
    const found = { state: recordingState(jobs), languages }
    await saveEntry(connection, toEntry(recording, found, await countedHits(current)))
    // The owner's account has since been closed: no one would empty what was written after that.
    const lifecycle = await readLifecycle(connection, { ownerId, recordingId: id })
    if (lifecycle === 'gone') await removeEntry(connection, ownerId, id)
  }
}
