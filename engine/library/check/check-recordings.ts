import type { LibraryRepairs } from '#contract/entities/library-check.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import { reopenEntry } from '#data/library/entries.ts'
import { hasShownAlerts, listStoredRecordings, type OwnedRecording } from '#data/library/derived-records.ts'
import { findEntryProblem, readEntries, type LibraryEntryProblem } from '#data/library/entry-problems.ts'
import { recordingState } from '#data/library/recording-state.ts'
import { findKeptRecordings } from '#data/recordings/lifecycle.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { currentTranscription } from '#data/recordings/versions.ts'
import { readSearchedTexts } from '#data/search/write-entry.ts'
import { identifyText } from '../count-hits.ts'
import { deriveRecording } from '../derive-recording.ts'
import { searchSource } from '../search/write-search-entry.ts'
import { repair, type LibraryCheckContext } from './check-context.ts'
import { createHitsCheck } from './check-hits.ts'
import { raiseScannedAlerts } from './raise-scanned-alerts.ts'

type Problem = { kind: keyof LibraryRepairs; entry: LibraryEntryProblem | null }

/** Compares everything that is derived from recordings with them, and derives again what differs. Yields after each page. */
export async function* checkRecordings(context: LibraryCheckContext): AsyncGenerator<void> {
  const checkHits = createHitsCheck(context)
  let after: OwnedRecording | null = null
  for (;;) {
    const page: OwnedRecording[] = await listStoredRecordings(context.queue.connection, after)
    const last = page.at(-1)
    if (!last) return
    const { problems, entries } = await findProblems(context, page)
    for (const owned of page) {
      context.found.recordings += 1
      const problem = problems.get(owned.id)
      if (problem) await mend(context, owned, problem)
      else await checkHits(owned, entries.get(owned.id))
      yield
    }
    after = last
  }
}

/** What is derived is read before recordings and jobs: it is never of a later state than they. */
async function findProblems(context: LibraryCheckContext, page: OwnedRecording[]) {
  const { queue, lastChange } = context
  const { connection } = queue
  const ids = page.map(({ id }) => id)
  const entries = await readEntries(connection, ids)
  const searched = await readSearchedTexts(connection, ids)
  const kept = await findKeptRecordings(connection, ids)
  const jobs = await listJobs(context, [...kept.values()])
  const problems = new Map<string, Problem>()
  for (const { id } of page) {
    const recording = kept.get(id)
    const own = jobs.get(id) ?? []
    if (recording && [recording, ...own].some(({ change }) => change > lastChange)) continue
    const derived = { entry: entries.get(id), searched: searched.get(id) }
    const problem = recording ? await findProblem(context, recording, { jobs: own, ...derived }) : findRemains(derived)
    if (problem) problems.set(id, problem)
  }
  return { problems, entries }
}

async function listJobs(
  { queue }: LibraryCheckContext,
  recordings: RecordingRecord[],
): Promise<Map<string, JobRecord[]>> {
  const live = recordings.filter(({ deletedAt }) => deletedAt === null)
  const found: JobRecord[] = []
  for (const [ownerId, own] of Map.groupBy(live, (recording) => recording.ownerId)) {
    const ids = own.map(({ id }) => id)
    found.push(...(await listJobsOfRecordings(queue, ownerId, ids)))
  }
  return Map.groupBy(found, ({ recordingId }) => recordingId ?? '')
}

type Derived = {
  entry: Parameters<typeof findEntryProblem>[0]
  searched: { fingerprint: string; source?: string } | undefined
}

async function findProblem(
  { queue }: LibraryCheckContext,
  recording: RecordingRecord,
  { jobs, entry, searched }: Derived & { jobs: JobRecord[] },
): Promise<Problem | null> {
  if (recording.deletedAt !== null) {
    const problem = findEntryProblem(entry, recording, null)
    if (problem) return { kind: 'entries', entry: problem }
    return (await hasShownAlerts(queue.connection, recording)) ? { kind: 'alerts', entry: null } : null
  }
  const text = await identifyText(queue, { recording, jobs })
  const { languages = [] } = currentTranscription(recording, jobs) ?? {}
  const problem = findEntryProblem(entry, recording, { state: recordingState(jobs), languages, text })
  if (problem) return { kind: 'entries', entry: problem }
  const isOutdated = searched?.source !== undefined && searched.source !== searchSource(recording, text)
  const isMissing = !searched && text !== ''
  return isOutdated || isMissing ? { kind: 'search', entry: null } : null
}

/** Returns what is left of a recording that is gone. */
function findRemains({ entry, searched }: Derived): Problem | null {
  if (entry && !entry.deletedAt) return { kind: 'entries', entry: null }
  return searched ? { kind: 'search', entry: null } : null
}

async function mend(context: LibraryCheckContext, owned: OwnedRecording, { kind, entry }: Problem): Promise<void> {
  const { queue, steps } = context
  await repair(context, kind, owned, async () => {
    if (entry === 'emptied' || entry === 'later') await reopenEntry(queue.connection, owned.ownerId, owned.id)
    await deriveRecording(queue, steps, owned)
    // The fault that emptied entries of recordings that are there deleted their alerts too.
    if (entry === 'emptied' || entry === 'none') await raiseScannedAlerts(queue, owned)
    // A transcription without words has nothing to find: nothing was wrong.
    return !(await findProblems(context, [owned])).problems.has(owned.id)
  })
}
