import { maxLineCharacters } from '../line-edits.ts'
import type { Word } from '../transcription.ts'
import type { KeywordHit } from './find-keywords.ts'
import { keywordCategories } from './keywords.ts'

/** A hit in a line and in its translation; null if a text lacks it. */
export interface HitPair {
  original: KeywordHit | null
  translation: KeywordHit | null
}

/**
 * Returns the hits of a line in order of position, those found only in the translation last. The first hit of a category in a line is
 * assumed to match the first of that category in its translation, and so on: a word and its translation are one hit.
 */
export function pairHits(hits: { original: readonly KeywordHit[]; translation: readonly KeywordHit[] }): HitPair[] {
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

function placeOf({ original, translation }: HitPair): number {
  return original?.start ?? maxLineCharacters + (translation?.start ?? 0)
}

interface TimedText {
  start: number
  text: string
  words?: readonly Pick<Word, 'text' | 'start'>[] | undefined
}

/** Returns when the character at `offset` of a line's text is spoken, based on its words if possible; otherwise the start of the line. */
export function timeAtOffset({ start: lineStart, text, words = [] }: TimedText, offset: number): number {
  let end = 0
  let time = lineStart
  for (const word of words) {
    const at = text.indexOf(word.text, end)
    if (at < 0) continue
    if (at > offset) break
    time = word.start
    end = at + word.text.length
  }
  return time
}
