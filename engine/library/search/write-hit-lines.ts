import type { KeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { keywordCategories, type KeywordCategory } from '#contract/keywords/keywords.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { saveHitLines, type HitLines } from '#data/search/hit-lines.ts'
import { readLinesOfRecordings, type StoredLine } from '#data/search/stored-lines.ts'
import { createTimeSlices } from '#data/time-slices.ts'
import type { KeywordSet } from '../keyword-set.ts'

/** Stores which lines of a recording have keywords, so that a search can be restricted to them. */
export async function writeHitLines(
  connection: DatabaseConnection,
  { ownerId, id }: { ownerId: string; id: string },
  { find }: KeywordSet,
): Promise<void> {
  const stored = (await readLinesOfRecordings(connection, ownerId, [id])).at(-1)
  if (!stored) return
  const lines = await findHitLines(stored.lines, find)
  await saveHitLines(connection, { ownerId, id }, { ordinal: stored.ordinal, lines })
}

/** Returns the numbers of the lines with keywords, by category. */
export async function findHitLines(
  lines: readonly Pick<StoredLine, 'kind' | 'text' | 'language'>[],
  find: KeywordMatcher,
): Promise<HitLines> {
  const pause = createTimeSlices()
  const found: Set<KeywordCategory>[] = []
  for (const { kind, text, language } of lines) {
    found.push(
      new Set(kind === 'note' || kind === 'speaker' ? [] : find(text, language).map(({ category }) => category)),
    )
    await pause()
  }
  return Object.fromEntries(
    keywordCategories.map((category) => [
      category,
      found.flatMap((categories, number) => (categories.has(category) ? [number] : [])),
    ]),
  )
}
