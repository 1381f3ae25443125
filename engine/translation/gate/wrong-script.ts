import type { LanguagePair } from '../prompt.ts'
import { isFrequent } from './frequent-words.ts'
import { isWrittenIn, scriptsOf } from './scripts.ts'
import { fold, withoutAddresses, wordsOf } from './words.ts'

/** A name of up to two words may stay in its own script. */
const maxCopiedWords = 2
const maxCopiedShare = 0.4
const maxLatinShare = 0.5

/**
 * Whether a completion is written in another script than its language. Names copied from the text are allowed, and so are Latin words
 * (brands, abbreviations) in every script; a word in a third script is not.
 */
export function isWrongScript(completion: string, text: string, { source, target }: LanguagePair): boolean {
  const scripts = scriptsOf(target)
  const words = withoutAddresses(completion).match(/\p{L}[\p{L}\p{M}\p{N}\p{Join_Control}'’]*/gu) ?? []
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
  if (copied.length > maxCopiedWords) return true
  if (copied.length > 0 && words.length > maxCopiedWords && copied.length > maxCopiedShare * words.length) return true
  const newLatin = latin.filter((word) => !isCopied(word))
  const latinShare = latin.length / words.length
  if (latin.some((word) => isFrequent(fold(word), 'en')) && latinShare > maxLatinShare) return true
  return newLatin.length > 0 && latinShare > maxLatinShare
}

/** Abbreviations and units: GPS, OK, AK47, km. */
function isSymbol(word: string): boolean {
  return /^(?:[A-Z][A-Z0-9]{0,5}|[Oo]k|[kcm]?m|kg)$/u.test(word)
}
