import { createHash } from 'node:crypto'
import { createKeywordMatcher, type KeywordMatcher } from '#contract/keywords/find-keywords.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readKeywordsInUse } from '#data/keywords/keyword-lists.ts'

/** Incremented when the same keywords must be counted differently: hits are then recounted, as when keywords change. */
const matchingFormat = 2

/** The keywords for which an owner's texts are scanned. */
export interface KeywordSet {
  /** Differs if the keywords differ. */
  hash: string
  find: KeywordMatcher
}

/** Reads the current keywords of an owner. */
export async function readKeywordSet(connection: DatabaseConnection, ownerId: string): Promise<KeywordSet> {
  const keywords = await readKeywordsInUse(connection, ownerId)
  const hash = createHash('sha256')
    .update(JSON.stringify([matchingFormat, keywords]))
    .digest('base64url')
    .slice(0, 22)
  return { hash, find: createKeywordMatcher(keywords) }
}
