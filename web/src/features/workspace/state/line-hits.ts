import type { KeywordHit } from '#contract/keywords/find-keywords.ts'
import { hitKey } from '#contract/keywords/hit-key.ts'
import type { KeywordCategory } from '#contract/keywords/keywords.ts'
import { pairHits, timeAtOffset } from '#contract/keywords/pair-hits.ts'
import type { ConversationLine } from './conversation-line.ts'

/** A keyword found in a line, counted once if the translation also has it. */
export interface LineHit {
  /** Identifies the hit in `reviewed-hits`, see hitKey. */
  key: string
  lineId: string
  category: KeywordCategory
  /** The keyword found in the original, otherwise the one in the translation. */
  keyword: string
  /** The time of the word in the original, otherwise of the line, in seconds from the start. */
  time: number
  speaker: string | undefined
  isIn: 'original' | 'translation' | 'both'
  isSimilar: boolean
  /** The hit in each text; null if a text lacks it. */
  original: KeywordHit | null
  translation: KeywordHit | null
}

/** Returns the keywords found in the lines, in time order; a word and its translation are one hit (see pairHits). */
export function listLineHits(lines: readonly ConversationLine[]): LineHit[] {
  const nextKey = createKeyGenerator()
  const hits = lines.flatMap((line) =>
    pairHits(line.hits).flatMap(({ original, translation }): LineHit[] => {
      const found = original ?? translation
      if (!found) return []
      return [
        {
          key: nextKey({ ...found, start: line.start }),
          lineId: line.id,
          category: found.category,
          keyword: found.keyword,
          time: original && line.segment ? timeAtOffset(line.segment, original.start) : line.start,
          speaker: line.segment?.speaker,
          isIn: whereIs(original, translation),
          isSimilar: found.isSimilar === true,
          original,
          translation,
        },
      ]
    }),
  )
  return hits.toSorted((a, b) => a.time - b.time)
}

/** Returns a function that numbers the hits of a keyword in a line, also if two lines begin at the same time. */
function createKeyGenerator(): (place: Parameters<typeof hitKey>[0]) => string {
  const counts = new Map<string, number>()
  return (place) => {
    const first = hitKey(place)
    const number = (counts.get(first) ?? 0) + 1
    counts.set(first, number)
    return number === 1 ? first : hitKey({ ...place, number })
  }
}

function whereIs(original: KeywordHit | null, translation: KeywordHit | null): LineHit['isIn'] {
  if (original && translation) return 'both'
  return original ? 'original' : 'translation'
}
