import { createHash } from 'node:crypto'
import { createKeywordMatcher, type KeywordMatcher } from '#contract/keywords/find-keywords.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readKeywordsInUse } from '#data/keywords/keyword-lists.ts'

/** Incremented when the same keywords have to be counted differently: hits are counted again then, as when keywords change. */
const matchingFormat = 2

/** The keywords that an owner's texts are scanned for. */
export interface KeywordSet {
  /** Differs where the keywords do. */
  hash: string
  find: KeywordMatcher
}

/** Reads the keywords of an owner as they are now. */
export async function readKeywordSet(connection: DatabaseConnection, ownerId: string): Promise<KeywordSet> {
  const keywords = await readKeywordsInUse(connection, ownerId)
  const hash = createHash('sha256')
    .update(JSON.stringify([matchingFormat, keywords]))
    .digest('base64url')
    .slice(0, 22)
  return { hash, find: createKeywordMatcher(keywords) }
}
