import { reopenEntry } from '#data/library/entries.ts'
import { listStoredRecordings, type OwnedRecording } from '#data/library/derived-records.ts'
import { readSearchedTexts } from '#data/search/write-entry.ts'
import { readEntries } from '#data/library/entry-problems.ts'
import { requestMissingRecount } from '#data/library/recount.ts'
import { listAlertPlaces } from '#data/alerts/raised-alerts.ts'
import { createWatchListRepository, type WatchListRecord } from '#data/alerts/watch-lists.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { isDatabaseError } from '#data/database-errors.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { findWithLifecycle } from '#data/recordings/lifecycle.ts'
import { deriveRecording, readCurrent } from '../derive-recording.ts'
import { readKeywordSet } from '../keyword-set.ts'
import type { CurrentRecording } from '../changed-recording.ts'
import { applyWatchLists, isWatched } from '../alerts/apply-watch-lists.ts'
import { createRaiseAlerts } from '../raise-alerts.ts'
import type { RecordingText } from '../recording-text.ts'
import { type LibraryCheckContext, recordFailure, repair } from './check-context.ts'
import { findProblems, type RecordingProblem } from './find-problems.ts'

/** Part of a recording's stored text is damaged. */
class DamagedTextError extends Error {}

/**
 * Restores the alerts of a recording that were deleted although the recording exists: first those of library scans, then those of its jobs.
 * Alerts that it still has stay unchanged. Scans notify no one; jobs notify as in `createRaiseAlerts`. Throws `DamagedTextError` if the
 * text cannot be read.
 */
async function raiseAlertsAgain(queue: Queue, { id, ownerId }: OwnedRecording): Promise<void> {
  const { lifecycle, recording } = await findWithLifecycle(queue.connection, ownerId, id)
  if (lifecycle !== 'live') return
  const current = await readCurrent(queue, recording)
  const readable = { ...current, readText: () => readUndamaged(current) }
  await raiseScannedAlerts(queue.connection, readable)
  await createRaiseAlerts(queue.connection)({ id, ownerId, isRepair: true, current: readable })
}

async function raiseScannedAlerts(
  connection: DatabaseConnection,
  { recording, readText }: CurrentRecording,
): Promise<void> {
  const { id: recordingId, ownerId } = recording
  const lists = await createWatchListRepository(connection).list(ownerId)
  const watchLists = lists.filter((list) => list.isOn && hasScanned(list, recordingId) && isWatched(list, recording))
  if (watchLists.length === 0) return
  const [text, known] = [await readText(), await listAlertPlaces(connection, { ownerId, recordingId })]
  await applyWatchLists(connection, { recording, text, watchLists, known, jobId: null, isDigestDue: false })
}

async function readUndamaged({ readText }: CurrentRecording): Promise<RecordingText> {
  try {
    return await readText()
  } catch (cause) {
    if (isDatabaseError(cause)) throw cause
    throw new DamagedTextError('The text of a recording cannot be read', { cause })
  }
}

/** Scans go through recordings in the order of their ids. */
function hasScanned({ scan }: WatchListRecord, recordingId: string): boolean {
  return scan !== null && (scan.state === 'done' || (scan.afterId !== null && scan.afterId >= recordingId))
}

/** See LibraryEntryDocument. */
interface CountedEntry {
  countedKeywords: string
  uncountableKeywords?: string
  deletedAt?: Date
}

/** Creates the check that an entry's hits match its owner's current keywords: if not, all of the owner's hits are recounted. */
function createHitsCheck(context: LibraryCheckContext) {
  const { connection } = context.queue
  /** Hashes of the keywords by owner, read when the first of the owner's entries is checked. */
  const hashes = new Map<string, string>()
  const requested = new Set<string>()

  async function readHash(ownerId: string): Promise<string> {
    const { hash } = await readKeywordSet(connection, ownerId)
    hashes.set(ownerId, hash)
    return hash
  }

  /** The page's entry may predate a count that has since ended; an entry read between two reads of the keywords must match one of them. */
  async function isOutdatedNow({ id, ownerId }: OwnedRecording): Promise<boolean> {
    const before = await readHash(ownerId)
    const entry = (await readEntries(connection, [id])).get(id)
    return isOutdated(entry, before) && isOutdated(entry, await readHash(ownerId))
  }

  /** @param entry as it was read with its page */
  return async (owned: OwnedRecording, entry: CountedEntry | undefined) => {
    const { ownerId } = owned
    if (requested.has(ownerId) || !isOutdated(entry, hashes.get(ownerId) ?? '')) return
    if (!(await isOutdatedNow(owned))) return
    requested.add(ownerId)
    await repair(context, 'hits', owned, () => requestMissingRecount(connection, ownerId))
  }
}

/** Returns whether an entry's hits were counted with keywords other than those of the hash. */
function isOutdated(entry: CountedEntry | undefined, hash: string): boolean {
  if (!entry || entry.deletedAt || entry.countedKeywords === '') return false
  return entry.countedKeywords !== hash && entry.uncountableKeywords !== hash
}

/** Compares everything derived from recordings with the recordings, and derives again what differs. Yields after each recording. */
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

async function mend(context: LibraryCheckContext, owned: OwnedRecording, problem: RecordingProblem): Promise<void> {
  if ('error' in problem) return recordFailure(context, owned, problem.error)
  const { kind, entry } = problem
  const { queue, steps } = context
  await repair(context, kind, owned, async () => {
    const before = await identifyLines(context, owned)
    // The fault that emptied the entries of existing recordings also deleted their alerts. Alerts come first: if this is interrupted or
    // fails, the next check still finds the faulty entry.
    if (entry === 'emptied' || entry === 'none') await raiseAlertsAgain(queue, owned).catch(ignoreDamagedText)
    if (entry === 'emptied' || entry === 'later') await reopenEntry(queue.connection, owned.ownerId, owned.id)
    await deriveRecording(queue, steps, owned, { isRepair: true })
    const left = (await findProblems(context, [owned])).problems.get(owned.id)
    if (left && 'error' in left) throw left.error
    // Search entries that name no state, another state with the same lines, or an older format were not faulty.
    return !left && (kind !== 'search' || before !== (await identifyLines(context, owned)))
  })
}

/** A recording with a damaged text is still listed; steps that read the text fail too, so the recording counts as failed. */
function ignoreDamagedText(error: unknown): void {
  if (!(error instanceof DamagedTextError)) throw error
}

/** Returns what identifies the searched lines of a recording; null for none. */
async function identifyLines({ queue }: LibraryCheckContext, { id }: OwnedRecording): Promise<string | null> {
  const searched = (await readSearchedTexts(queue.connection, [id])).get(id)
  return searched && searched.lineCount > 0 ? searched.fingerprint : null
}
