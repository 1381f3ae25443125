import { westernDigits } from '#contract/western-digits.ts'

/** Punctuation on keyboards of other alphabets, with its Latin equivalent. */
const signs: Record<string, string> = { '؟': '?' }
const placeNames: Record<string, string> = { Slash: '/', Space: ' ' }
const latin = /^(?:[\x20-\x7e]|[A-Z][A-Za-z\d]+)$/

/**
 * Returns what a key press means on a Latin keyboard, in lower case. A key that types a letter of another alphabet, as on a Persian
 * keyboard layout, counts by its position; digits and punctuation count as what they are.
 */
export function latinKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const typed = signs[key] ?? westernDigits(key)
  if (latin.test(typed)) return typed.toLowerCase()
  return placeNames[code] ?? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? typed
}
