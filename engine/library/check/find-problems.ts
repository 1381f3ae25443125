import type { LibraryRepairs } from '#contract/entities/library-check.ts'
import { hasEnded, type JobRecord } from '#data/jobs/job-record.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import { hasShownAlerts, type OwnedRecording } from '#data/library/derived-records.ts'
import { findEntryProblem, readEntries, type LibraryEntryProblem } from '#data/library/entry-problems.ts'
import { recordingState } from '#data/library/recording-state.ts'
import { findEditsRevision } from '#data/line-edits/line-edits.ts'
import { findKeptRecordings } from '#data/recordings/lifecycle.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { currentTranscription } from '#data/recordings/versions.ts'
import { readSearchedTexts, type SearchedTextState } from '#data/search/write-entry.ts'
import { identifyText } from '../count-hits.ts'
import { hasNoText, searchSource } from '../search/write-search-entry.ts'
import { rethrowOutage, type LibraryCheckContext } from './check-context.ts'

/** A problem with the data derived from a recording. */
export type RecordingProblem = { kind: keyof LibraryRepairs; entry: LibraryEntryProblem | null } | { error: unknown }

interface PageState {
  entries: Awaited<ReturnType<typeof readEntries>>
  searched: Map<string, SearchedTextState>
  kept: Map<string, RecordingRecord>
  jobs: Map<string, JobRecord[]>
}

interface ComparedPage {
  /** By recording id; `error` if a recording cannot be compared, for instance because a document is damaged. */
  problems: Map<string, RecordingProblem>
  entries: PageState['entries']
}

/**
 * Compares derived data with the recordings. A recording that cannot be read or compared does not hold up the others. Throws if the
 * database cannot be reached.
 */
export async function findProblems(context: LibraryCheckContext, page: OwnedRecording[]): Promise<ComparedPage> {
  try {
    return await comparePage(context, page)
  } catch (error) {
    rethrowOutage(error)
    const [only] = page
    if (only && page.length === 1) return { problems: new Map([[only.id, { error }]]), entries: new Map() }
  }
  const compared: ComparedPage = { problems: new Map(), entries: new Map() }
  for (const owned of page) {
    const { problems, entries } = await findProblems(context, [owned])
    for (const [id, problem] of problems) compared.problems.set(id, problem)
    for (const [id, entry] of entries) compared.entries.set(id, entry)
  }
  return compared
}

async function comparePage(context: LibraryCheckContext, page: OwnedRecording[]): Promise<ComparedPage> {
  const state = await readState(context, page)
  const problems = new Map<string, RecordingProblem>()
  for (const { id } of page) {
    const problem = await compare(context, id, state).catch((error: unknown) => {
      rethrowOutage(error)
      return { error }
    })
    if (problem) problems.set(id, problem)
  }
  return { problems, entries: state.entries }
}

/** Reads derived data before recordings and jobs, so that it never reflects a later state than theirs. */
async function readState({ queue }: LibraryCheckContext, page: OwnedRecording[]): Promise<PageState> {
  const { connection } = queue
  const ids = page.map(({ id }) => id)
  const entries = await readEntries(connection, ids)
  const searched = await readSearchedTexts(connection, ids)
  const kept = await findKeptRecordings(connection, ids)
  const jobs: JobRecord[] = []
  for (const [ownerId, own] of Map.groupBy(kept.values(), (recording) => recording.ownerId)) {
    const ownIds = own.map(({ id }) => id)
    jobs.push(...(await listJobsOfRecordings(queue, ownerId, ownIds)))
  }
  return { entries, searched, kept, jobs: Map.groupBy(jobs, ({ recordingId }) => recordingId ?? '') }
}

async function compare(
  context: LibraryCheckContext,
  id: string,
  { entries, searched, kept, jobs: allJobs }: PageState,
): Promise<RecordingProblem | null> {
  const recording = kept.get(id)
  const jobs = allJobs.get(id) ?? []
  if (recording && [recording, ...jobs].some(({ change }) => change > context.lastChange)) return null
  const derived = { entry: entries.get(id), searched: searched.get(id) }
  return recording ? findProblem(context, recording, { jobs, ...derived }) : findRemains(derived)
}

interface Derived {
  entry: Parameters<typeof findEntryProblem>[0]
  searched: SearchedTextState | undefined
}

async function findProblem(
  { queue }: LibraryCheckContext,
  recording: RecordingRecord,
  { jobs, entry, searched }: Derived & { jobs: JobRecord[] },
): Promise<RecordingProblem | null> {
  if (recording.deletedAt !== null) {
    const problem = findEntryProblem(entry, recording, null)
    if (problem) return { kind: 'entries', entry: problem }
    if (jobs.some((job) => !hasEnded(job) && !job.isHeld)) return { kind: 'jobs', entry: null }
    return (await hasShownAlerts(queue.connection, recording)) ? { kind: 'alerts', entry: null } : null
  }
  const { connection } = queue
  const readRevision = (id: string) => findEditsRevision(connection, recording.ownerId, id)
  const text = await identifyText({ recording, jobs }, readRevision)
  const { languages = [] } = currentTranscription(recording, jobs) ?? {}
  const problem = findEntryProblem(entry, recording, { state: recordingState(jobs), languages, text })
  if (problem) return { kind: 'entries', entry: problem }
  if (jobs.some((job) => !hasEnded(job) && job.isHeld)) return { kind: 'jobs', entry: null }
  const source = searchSource(recording, text)
  if (searched ? searched.source === source : hasNoText(source)) return null
  return { kind: 'search', entry: null }
}

/** Returns what remains of a recording that is gone. */
function findRemains({ entry, searched }: Derived): RecordingProblem | null {
  if (entry && !entry.deletedAt) return { kind: 'entries', entry: null }
  return searched ? { kind: 'search', entry: null } : null
}
