import { foldKeyword } from './fold.ts'
import type { KeywordCategory } from './keywords.ts'

/** A Unicode ligature may fold to eighteen letters; this number distinguishes any two keywords that people type. */
const maxKeyLetters = 60

interface HitPlace {
  category: KeywordCategory
  keyword: string
  /** The start of its line in seconds. */
  start: number
  /** Its number among the hits of this keyword in its line; default 1. */
  number?: number
}

/**
 * Returns the key that identifies a keyword found in a line. It stays the same when other lines change, when this line is corrected but
 * still has the keyword, when the keyword is spelled differently, and in another version whose line begins at the same time.
 */
export function hitKey({ category, keyword, start, number = 1 }: HitPlace): string {
  const letters = [...foldKeyword(keyword)].slice(0, maxKeyLetters).join('')
  return `${category}:${Math.round(start * 1000)}:${number}:${letters}`
}
