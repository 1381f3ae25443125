/** A text that consists only of a sound annotation: "(wind blowing)", "*sighs*", "♪ la la ♪". */
const soundOnly = /^[\s.,-]*(?:\([^()]*\)|\*[^*]*\*|♪.*)[\s.,-]*$/u
const maxAnnotationWords = 6

/**
 * Removes the annotations that Whisper writes for non-speech sounds: "[Music]", "[wind blowing]" anywhere in a text, and round brackets,
 * asterisks and notes if the whole text consists of them.
 */
export function removeNonSpeech<Word extends { text: string }>(words: Word[]): Word[] {
  if (soundOnly.test(words.map(({ text }) => text).join(' '))) return []
  const kept: Word[] = []
  for (let at = 0; at < words.length; at += 1) {
    const length = countAnnotationWords(words.slice(at, at + maxAnnotationWords))
    const word = words[at]
    if (length > 0) at += length - 1
    else if (word) kept.push(word)
  }
  return kept
}

/** Returns the number of words of an annotation in square brackets that starts at the first word; 0 where none starts. */
function countAnnotationWords(words: { text: string }[]): number {
  if (!words[0]?.text.startsWith('[')) return 0
  return words.findIndex(({ text }) => /\][.,!?]*$/u.test(text)) + 1
}
