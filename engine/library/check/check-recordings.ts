import { reopenEntry } from '#data/library/entries.ts'
import { listStoredRecordings, type OwnedRecording } from '#data/library/derived-records.ts'
import { readSearchedTexts } from '#data/search/write-entry.ts'
import { deriveRecording } from '../derive-recording.ts'
import { recordFailure, repair, type LibraryCheckContext } from './check-context.ts'
import { createHitsCheck } from './check-hits.ts'
import { findProblems, type RecordingProblem } from './find-problems.ts'
import { DamagedTextError, raiseAlertsAgain } from './raise-alerts-again.ts'

/** Compares everything that is derived from recordings with them, and derives again what differs. Yields after each recording. */
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
    // The fault that emptied entries of recordings that are there deleted their alerts too. They come first: where this is interrupted or
    // fails, the next check finds the entry as it was.
    if (entry === 'emptied' || entry === 'none') await raiseAlertsAgain(queue, owned).catch(ignoreDamagedText)
    if (entry === 'emptied' || entry === 'later') await reopenEntry(queue.connection, owned.ownerId, owned.id)
    await deriveRecording(queue, steps, owned, { isRepair: true })
    const left = (await findProblems(context, [owned])).problems.get(owned.id)
    if (left && 'error' in left) throw left.error
    // Entries of the search that name no state, another one with the same lines, or an older format, had nothing wrong.
    return !left && (kind !== 'search' || before !== (await identifyLines(context, owned)))
  })
}

/** A recording with a damaged text is listed all the same; steps that read the text fail too, so that it counts as failed. */
function ignoreDamagedText(error: unknown): void {
  if (!(error instanceof DamagedTextError)) throw error
}

/** Returns what identifies the searched lines of a recording; null for none. */
async function identifyLines({ queue }: LibraryCheckContext, { id }: OwnedRecording): Promise<string | null> {
  const searched = (await readSearchedTexts(queue.connection, [id])).get(id)
  return searched && searched.lineCount > 0 ? searched.fingerprint : null
}
