/** Returns the folded words of a text: without case, vowel marks and punctuation. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** Normalizes a text for comparison: compatibility forms, lower case, without marks and joiners. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{Mn}\u200B-\u200F\u202A-\u202E\u2066-\u2069\u0640\uFEFF]/gu, '')
    .toLowerCase()
}

/** Returns the folded words joined by spaces, which is the same for two texts that differ only in punctuation. */
export function spokenForm(text: string): string {
  return wordsOf(text).join(' ')
}

/** Whether a text has letters of any script. */
export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text)
}

/** Links and file names. Lengths are bounded, as in host names; otherwise a long completion without spaces would take minutes. */
const address =
  /\b(?:https?:\/\/|www\.)\S+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.(?:com|org|net|af|pk|ir|de|txt|pdf|mp3)\b/giu

/** Removes addresses, links and file names, which are the same in every language. */
export function withoutAddresses(text: string): string {
  return text.replace(/\S+/gu, (word) => (isMailAddress(word) ? ' ' : word.replace(address, ' ')))
}

/** Whether there is something before an `@` and a dot somewhere after it. */
function isMailAddress(word: string): boolean {
  const at = word.indexOf('@', 1)
  const dot = at === -1 ? -1 : word.indexOf('.', at + 2)
  return dot !== -1 && dot < word.length - 1
}
