import { foldKeyword } from '#contract/keywords/fold.ts'

const apostrophe = /['’ʼ‘`]/gu
const neitherLetterNorDigit = /[^\p{L}\p{N}]+/gu
const mark = /\p{M}/gu

/**
 * Returns a text as transcripts are compared: case, vowel marks, tatweel, the forms of alef, yeh, kaf and heh, the rows of digits and
 * accents folded; apostrophes and joiners left out, all other punctuation a blank. Recognisers and transcribers differ in all of these
 * at will, and none is a word heard wrongly.
 */
export function foldTranscript(text: string): string {
  return foldKeyword(text).replaceAll(mark, '').replaceAll(apostrophe, '').replaceAll(neitherLetterNorDigit, ' ').trim()
}

/** Returns the words of a folded text. */
export function foldedWords(text: string): string[] {
  const folded = foldTranscript(text)
  return folded === '' ? [] : folded.split(' ')
}
