import { keywordsInUse, type KeywordsInUse } from '#contract/keywords/defaults.ts'
import { keywordCategories, maxKeywordsPerCategory, noKeywords, type Keywords } from '#contract/keywords/keywords.ts'
import type { DatabaseConnection } from '../connect.ts'
import { createKeywordRepository, type KeywordRecord } from './keywords.ts'

/** The maximum number of keywords per owner. */
export const maxKeywords = maxKeywordsPerCategory * keywordCategories.length

/** Converts keywords to the form used for scanning texts. */
export function toKeywordLists(records: KeywordRecord[]): Keywords {
  const lists = noKeywords()
  for (const { category, keyword } of records) lists[category].push(keyword)
  return { ...lists, sounds_like: records.filter(({ soundsLike }) => soundsLike).map(({ keyword }) => keyword) }
}

/** Returns the keywords that an owner's texts are scanned for: the built-in ones if the owner has none. */
export async function readKeywordsInUse(connection: DatabaseConnection, ownerId: string): Promise<KeywordsInUse> {
  return keywordsInUse(toKeywordLists(await createKeywordRepository(connection).list(ownerId, maxKeywords)))
}
