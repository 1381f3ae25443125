import type { Queue } from '#data/jobs/queue.ts'
import {
  endRecount,
  findRecount,
  listCountedEntries,
  saveHits,
  saveUncountable,
  type CountedLibraryEntry,
} from '#data/library/recount.ts'
import { findWithLifecycle } from '#data/recordings/lifecycle.ts'
import type { LibraryBackgroundTask } from './changed-recording.ts'
import { countHits } from './count-hits.ts'
import { readCurrent } from './derive-recording.ts'
import { readKeywordSet, type KeywordSet } from './keyword-set.ts'
import { writeHitLines } from './search/write-hit-lines.ts'

/** Maximum duration of one step of a background task. */
const maxStepMs = 80

/** A recording that fails this often, for instance because its result is damaged, no longer holds up the others. */
const maxFailures = 3

/** A recount in progress. */
interface Recount {
  ownerId: string
  key: string
  keywords: KeywordSet
  /** Only entries after this one are left. */
  afterId: string | null
  /** How often the entry after `afterId` has failed. */
  failures: number
}

/** Returns the task that counts hits again in recordings of owners whose keywords changed. */
export function createRecountHits(queue: Queue): LibraryBackgroundTask {
  const { connection } = queue
  let recount: Recount | null = null

  /** Starts over if the keywords have changed again. */
  async function findNext(): Promise<Recount | null> {
    const due = await findRecount(connection)
    if (!due || (recount?.key === due.key && recount.ownerId === due.ownerId)) return due && recount
    return { ...due, keywords: await readKeywordSet(connection, due.ownerId), afterId: null, failures: 0 }
  }

  async function recountOne(entry: CountedLibraryEntry, { ownerId, keywords }: Recount): Promise<void> {
    if (entry.countedKeywords === keywords.hash) return
    // Including recordings in the trash, which may come back after the count.
    const { recording } = await findWithLifecycle(connection, ownerId, entry.id)
    if (!recording) return
    const { readTextId, ...current } = await readCurrent(queue, recording)
    const countedText = await readTextId()
    const hits = await countHits(current, keywords.find)
    await writeHitLines(connection, { ownerId, id: entry.id }, keywords)
    await saveHits(connection, { ownerId, id: entry.id }, { hits, countedText, countedKeywords: keywords.hash })
  }

  return async () => {
    const endsAt = performance.now() + maxStepMs
    recount = await findNext()
    if (!recount) return false
    const entries = await listCountedEntries(connection, recount)
    if (entries.length === 0) await endRecount(connection, recount)
    for (const entry of entries) {
      try {
        await recountOne(entry, recount)
      } catch (error) {
        recount.failures += 1
        if (recount.failures < maxFailures) throw error
        await saveUncountable(connection, { ownerId: recount.ownerId, id: entry.id }, recount.keywords.hash)
      }
      Object.assign(recount, { afterId: entry.id, failures: 0 })
      if (performance.now() > endsAt) break
    }
    return true
  }
}
