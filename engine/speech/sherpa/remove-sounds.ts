/** A text that names a sound from its first to its last sign: "(wind blowing)", "*sighs*", "♪ la la ♪". */
const soundAlone = /^[\s.,-]*(?:\([^()]*\)|\*[^*]*\*|♪.*)[\s.,-]*$/u
const maxWords = 6

/**
 * Leaves out what Whisper writes for sounds that nobody said: "[Music]", "[wind blowing]" anywhere in a text, and round brackets,
 * asterisks and notes where they are all of it.
 */
export function removeSounds<Word extends { text: string }>(words: Word[]): Word[] {
  if (soundAlone.test(words.map(({ text }) => text).join(' '))) return []
  const kept: Word[] = []
  for (let at = 0; at < words.length; at += 1) {
    const length = bracketed(words.slice(at, at + maxWords))
    const word = words[at]
    if (length > 0) at += length - 1
    else if (word) kept.push(word)
  }
  return kept
}

/** How many words a name in square brackets takes that begins with the first of these; 0 where none begins. */
function bracketed(words: { text: string }[]): number {
  if (!words[0]?.text.startsWith('[')) return 0
  return words.findIndex(({ text }) => /\][.,!?]*$/u.test(text)) + 1
}
