import { keywordCategories } from '#contract/keywords/keywords.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { saveHitLines } from '#data/search/hit-lines.ts'
import { readLinesOfRecordings } from '#data/search/stored-lines.ts'
import { createTimeSlices } from '#data/time-slices.ts'
import type { KeywordSet } from '../keyword-set.ts'

/** Stores which of a recording's lines have keywords, so that a search can be restricted to them. */
export async function writeHitLines(
  connection: DatabaseConnection,
  { ownerId, id }: { ownerId: string; id: string },
  { find }: KeywordSet,
): Promise<void> {
  const stored = (await readLinesOfRecordings(connection, ownerId, [id])).at(-1)
  if (!stored) return
  const pause = createTimeSlices()
  const found: Set<string>[] = []
  for (const { kind, text, language } of stored.lines) {
    found.push(
      new Set(kind === 'note' || kind === 'speaker' ? [] : find(text, language).map(({ category }) => category)),
    )
    await pause()
  }
  const lines = Object.fromEntries(
    keywordCategories.map((category) => [
      category,
      found.flatMap((categories, number) => (categories.has(category) ? [number] : [])),
    ]),
  )
  await saveHitLines(connection, { ownerId, id }, { ordinal: stored.ordinal, lines })
}
