import type { KeywordCategory } from '#contract/keywords/keywords.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { toBytes } from '../jobs/packed-json.ts'
import { decodeNumbers, encodeNumbers } from './number-lists.ts'
import { searchEntryModel, type SearchEntryDocument, type StoredHitLines } from './search-entry-model.ts'

/** The numbers of the lines with keywords, by category. */
export type HitLines = Partial<Record<KeywordCategory, number[]>>

/** Returns the lines with keywords in the form stored with the lines of this ordinal. */
export function packHitLines({ ordinal, lines }: { ordinal: number; lines: HitLines }): StoredHitLines {
  const packed = Object.entries(lines).map(([category, numbers]) => [category, encodeNumbers(numbers)])
  return { ordinal, lines: Object.fromEntries(packed) as StoredHitLines['lines'] } // with the same keys
}

/** Stores which lines of a recording have keywords, unless its lines were rewritten in the meantime. */
export async function saveHitLines(
  connection: DatabaseConnection,
  { ownerId, id }: { ownerId: string; id: string },
  { ordinal, lines }: { ordinal: number; lines: HitLines },
): Promise<void> {
  const hitLines = packHitLines({ ordinal, lines })
  await searchEntryModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId), ordinal },
    { $set: { hitLines } },
  )
}

/** Returns the lines with keywords of a category in all recordings of an owner that have lines, by ordinal. */
export async function readHitLines(
  connection: DatabaseConnection,
  ownerId: string,
  category: KeywordCategory,
): Promise<Map<number, number[]>> {
  const found = await searchEntryModel(connection)
    .find({ ownerId: toObjectId(ownerId) }, { 'hitLines.ordinal': 1, [`hitLines.lines.${category}`]: 1 })
    .lean<Pick<SearchEntryDocument, '_id' | 'hitLines'>[]>()
  return new Map(
    found.flatMap(({ hitLines }) => {
      const packed = hitLines?.lines?.[category]
      return hitLines && packed ? [[hitLines.ordinal, decodeNumbers(toBytes(packed))] as const] : []
    }),
  )
}
