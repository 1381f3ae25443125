import { foldKeyword } from '#contract/keywords/fold.ts'

const apostrophe = /['’ʼ‘`]/gu
const neitherLetterNorDigit = /[^\p{L}\p{N}]+/gu
const mark = /\p{M}/gu

/**
 * Normalizes a transcript for comparison: folds case, vowel marks, tatweel, the forms of alef, yeh, kaf and heh, digits and accents;
 * removes apostrophes and joiners; replaces all other punctuation with spaces. Models and human transcribers differ in all of these
 * without making a recognition error.
 */
export function foldTranscript(text: string): string {
  return foldKeyword(text).replaceAll(mark, '').replaceAll(apostrophe, '').replaceAll(neitherLetterNorDigit, ' ').trim()
}

/** Returns the words of a folded text. */
export function foldedWords(text: string): string[] {
  const folded = foldTranscript(text)
  return folded === '' ? [] : folded.split(' ')
}
