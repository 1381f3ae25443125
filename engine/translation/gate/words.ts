/** The words of a text, folded: no case, no vowel marks, no punctuation. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** A text as it is compared: compatibility forms, lower case, without marks and joiners. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{Mn}\u200B-\u200F\u202A-\u202E\u2066-\u2069\u0640\uFEFF]/gu, '')
    .toLowerCase()
}

/** The words alone, in order: what is left when a text is said again with other punctuation. */
export function spokenForm(text: string): string {
  return wordsOf(text).join(' ')
}

/** Whether a text has letters of any script. */
export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text)
}

/** Links and file names. The lengths have bounds, as those of hosts have: else a long answer without blanks takes minutes. */
const address =
  /\b(?:https?:\/\/|www\.)\S+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.(?:com|org|net|af|pk|ir|de|txt|pdf|mp3)\b/giu

/** A text without addresses, links and file names, which are the same in every language. */
export function withoutAddresses(text: string): string {
  return text.replace(/\S+/gu, (word) => (isMailAddress(word) ? ' ' : word.replace(address, ' ')))
}

/** Whether something stands before an `@`, and a dot amid what stands behind it. */
function isMailAddress(word: string): boolean {
  const at = word.indexOf('@', 1)
  const dot = at === -1 ? -1 : word.indexOf('.', at + 2)
  return dot !== -1 && dot < word.length - 1
}
