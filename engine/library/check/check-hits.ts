import { readEntries } from '#data/library/entry-problems.ts'
import { requestMissingRecount } from '#data/library/recount.ts'
import type { OwnedRecording } from '#data/library/derived-records.ts'
import { readKeywordSet } from '../keyword-set.ts'
import { repair, type LibraryCheckContext } from './check-context.ts'

/** See LibraryEntryDocument. */
interface CountedEntry {
  countedKeywords: string
  uncountableKeywords?: string
  deletedAt?: Date
}

/** Creates the check of whether an entry's hits are of its owner's current keywords: if not, all of the owner's are counted again. */
export function createHitsCheck(context: LibraryCheckContext) {
  const { connection } = context.queue
  /** By owner, read when the first of the owner's entries was checked. */
  const hashes = new Map<string, string>()
  const requested = new Set<string>()

  async function readHash(ownerId: string): Promise<string> {
    const { hash } = await readKeywordSet(connection, ownerId)
    hashes.set(ownerId, hash)
    return hash
  }

  /** The entry of the page may be older than a count that has ended since: read between two reads of the keywords, it is of one of them. */
  async function isOutdatedNow({ id, ownerId }: OwnedRecording): Promise<boolean> {
    const before = await readHash(ownerId)
    const entry = (await readEntries(connection, [id])).get(id)
    return isOutdated(entry, before) && isOutdated(entry, await readHash(ownerId))
  }

  /** @param entry in the state it had when its page was read */
  return async (owned: OwnedRecording, entry: CountedEntry | undefined) => {
    const { ownerId } = owned
    if (requested.has(ownerId) || !isOutdated(entry, hashes.get(ownerId) ?? '')) return
    if (!(await isOutdatedNow(owned))) return
    requested.add(ownerId)
    await repair(context, 'hits', owned, () => requestMissingRecount(connection, ownerId))
  }
}

/** Returns whether an entry has hits that are of other keywords than those of a hash. */
function isOutdated(entry: CountedEntry | undefined, hash: string): boolean {
  if (!entry || entry.deletedAt || entry.countedKeywords === '') return false
  return entry.countedKeywords !== hash && entry.uncountableKeywords !== hash
}
