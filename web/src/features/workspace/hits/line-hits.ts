import type { KeywordHit } from '#contract/keywords/find-keywords.ts'
import { hitKey } from '#contract/keywords/hit-key.ts'
import { keywordCategories, type KeywordCategory } from '#contract/keywords/keywords.ts'
import { maxLineCharacters } from '#contract/line-edits.ts'
import type { Segment } from '#contract/transcription.ts'
import type { ConversationLine } from '../conversation/conversation-line.ts'

/** A keyword found in a line, counted once where the translation has it too. */
export interface LineHit {
  /** See hitKey: identifies it in `reviewed-hits`. */
  key: string
  lineId: string
  category: KeywordCategory
  /** As found in the original, else in the translation. */
  keyword: string
  /** Seconds from the start: of the word in the original, else of the line. */
  time: number
  speaker: string | undefined
  isIn: 'original' | 'translation' | 'both'
  isSimilar: boolean
  /** Where it is in each text; null where a text lacks it. */
  original: KeywordHit | null
  translation: KeywordHit | null
}

/**
 * Returns the keywords found in the lines in order of time. The first hit of a category in a line is taken to be the first of that category in
 * its translation, and so on: a word and its translation are one hit.
 */
export function listLineHits(lines: readonly ConversationLine[]): LineHit[] {
  const nextKey = createKeyGenerator()
  const hits = lines.flatMap((line) =>
    pairHits(line).flatMap(({ original, translation }): LineHit[] => {
      const found = original ?? translation
      if (!found) return []
      return [
        {
          key: nextKey({ ...found, start: line.start }),
          lineId: line.id,
          category: found.category,
          keyword: found.keyword,
          time: original ? timeAt(line.segment, original.start, line.start) : line.start,
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

/** Returns a function that numbers the hits of a keyword in a line, also where two lines begin together. */
function createKeyGenerator(): (place: Parameters<typeof hitKey>[0]) => string {
  const counts = new Map<string, number>()
  return (place) => {
    const first = hitKey(place)
    const number = (counts.get(first) ?? 0) + 1
    counts.set(first, number)
    return number === 1 ? first : hitKey({ ...place, number })
  }
}

interface HitPair {
  original: KeywordHit | null
  translation: KeywordHit | null
}

function whereIs(original: KeywordHit | null, translation: KeywordHit | null): LineHit['isIn'] {
  if (original && translation) return 'both'
  return original ? 'original' : 'translation'
}

function pairHits({ hits }: ConversationLine): HitPair[] {
  if (hits.original.length === 0 && hits.translation.length === 0) return []
  const pairs = keywordCategories.flatMap((category) => {
    const ofCategory = (hit: KeywordHit) => hit.category === category
    const originals = hits.original.filter(ofCategory)
    const translations = hits.translation.filter(ofCategory)
    const count = Math.max(originals.length, translations.length)
    return Array.from({ length: count }, (_, index) => ({
      original: originals[index] ?? null,
      translation: translations[index] ?? null,
    }))
  })
  return pairs.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Those of the translation alone come last. */
function placeOf({ original, translation }: HitPair): number {
  return original?.start ?? maxLineCharacters + (translation?.start ?? 0)
}

/** Returns when the character at `offset` of a segment's text is spoken, as far as its words tell. */
function timeAt(segment: Segment | null, offset: number, lineStart: number): number {
  let end = 0
  let time = lineStart
  for (const { text, start } of segment?.words ?? []) {
    const at = segment?.text.indexOf(text, end) ?? -1
    if (at < 0) continue
    if (at > offset) break
    time = start
    end = at + text.length
  }
  return time
}
