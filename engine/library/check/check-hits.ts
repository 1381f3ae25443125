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

/** Creates the check whether an entry's hits are of the keywords that its owner has: where not, all of the owner's are counted again. */
export function createHitsCheck(context: LibraryCheckContext) {
  const { connection } = context.queue
  /** By owner, as they were when the first of the owner's entries was checked. */
  const hashes = new Map<string, string>()
  const requested = new Set<string>()

  async function readHash(ownerId: string): Promise<string> {
    const { hash } = await readKeywordSet(connection, ownerId)
    hashes.set(ownerId, hash)
    return hash
  }

  return async (owned: OwnedRecording, entry: CountedEntry | undefined) => {
    const { ownerId } = owned
    if (!entry || entry.deletedAt || entry.countedKeywords === '' || requested.has(ownerId)) return
    const tried = [entry.countedKeywords, entry.uncountableKeywords]
    const known = hashes.get(ownerId) ?? (await readHash(ownerId))
    if (tried.includes(known) || tried.includes(await readHash(ownerId))) return
    requested.add(ownerId)
    await repair(context, 'hits', owned, () => requestMissingRecount(connection, ownerId))
  }
}
