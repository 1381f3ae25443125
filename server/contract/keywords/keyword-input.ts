import { maxKeywordLength } from './keywords.ts'

// Comma and semicolon, Latin and Arabic, or a gap of two or more spaces (audio-workflow specification, section 5).
const separator = /[,،;؛]|\s{2,}/u

/** Returns the keywords in a typed text: trimmed, lowercase, none empty, none of 30 characters or longer; repeats are kept. */
export function parseKeywordInput(text: string): string[] {
  return splitInput(text).filter((piece) => piece.length <= maxKeywordLength)
}

function splitInput(text: string): string[] {
  const pieces = text.split(separator).map((piece) => piece.trim().toLowerCase())
  return pieces.filter((piece) => piece !== '')
}

export interface KeywordAddition {
  /** The resulting list of the category: the existing keywords, then the new ones in the order typed. */
  keywords: string[]
  added: string[]
  /** Keywords skipped because the category or an earlier piece of the same input already has them. */
  duplicates: string[]
  /** Keywords dropped because they have 30 characters or more. */
  tooLong: string[]
}

/** Returns one category's list with the typed keywords added; does not modify the given list. */
export function addKeywords(existing: readonly string[], input: string): KeywordAddition {
  const known = new Set(existing)
  const added: string[] = []
  const duplicates: string[] = []
  for (const keyword of parseKeywordInput(input)) {
    if (known.has(keyword)) duplicates.push(keyword)
    else added.push(keyword)
    known.add(keyword)
  }
  const tooLong = splitInput(input).filter((piece) => piece.length > maxKeywordLength)
  return { keywords: [...existing, ...added], added, duplicates, tooLong }
}
