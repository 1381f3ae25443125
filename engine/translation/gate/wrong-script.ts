import type { LanguagePair } from '../prompt.ts'
import { isFrequent } from './frequent-words.ts'
import { isWrittenIn, scriptsOf } from './scripts.ts'
import { fold, withoutAddresses, wordsOf } from './words.ts'

/** A name may stay in its own script, in two words. */
const mostCopiedWords = 2
const mostCopiedShare = 0.4
const mostLatinShare = 0.5

/**
 * Whether an answer is written in another script than its language is. Names copied from the text may stay as they are, and Latin words
 * (brands, abbreviations) stand in texts of every script; a word of a third script, that nobody said, does not.
 */
export function isWrongScript(answer: string, text: string, { source, target }: LanguagePair): boolean {
  const scripts = scriptsOf(target)
  const words = withoutAddresses(answer).match(/\p{L}[\p{L}\p{M}\p{N}\p{Join_Control}'’]*/gu) ?? []
  const foreign = words.filter((word) => !isWrittenIn(word, scripts) && !isSymbol(word))
  if (foreign.length === 0) return false
  const said = new Set(wordsOf(text))
  const isLatinAllowed = !scripts.includes('Latn')
  const isLatin = (word: string) => isLatinAllowed && isWrittenIn(word, ['Latn'])
  const isCopied = (word: string) => wordsOf(word).every((part) => said.has(part))
  const latin = foreign.filter((word) => isLatin(word))
  const others = foreign.filter((word) => !isLatin(word))
  const copied = others.filter(isCopied)
  if (others.length > copied.length) return true
  if (copied.some((word) => isFrequent(fold(word), source))) return true
  if (copied.length > mostCopiedWords) return true
  if (copied.length > 0 && words.length > mostCopiedWords && copied.length > mostCopiedShare * words.length) return true
  const newLatin = latin.filter((word) => !isCopied(word))
  const latinShare = latin.length / words.length
  if (latin.some((word) => isFrequent(fold(word), 'en')) && latinShare > mostLatinShare) return true
  return newLatin.length > 0 && latinShare > mostLatinShare
}

/** Abbreviations and units: GPS, OK, AK47, km. */
function isSymbol(word: string): boolean {
  return /^(?:[A-Z][A-Z0-9]{0,5}|[Oo]k|[kcm]?m|kg)$/u.test(word)
}
