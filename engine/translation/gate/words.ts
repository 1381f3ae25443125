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

/** Addresses, links and file names: the same in every language. */
export function withoutAddresses(text: string): string {
  return text.replace(
    /\b(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|af|pk|ir|de|txt|pdf|mp3)\b/giu,
    ' ',
  )
}
