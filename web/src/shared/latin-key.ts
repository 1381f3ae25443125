import { westernDigits } from '#contract/western-digits.ts'

/** What signs of keyboards of other alphabets are on a Latin one. */
const signs: Record<string, string> = { '؟': '?' }
const placeNames: Record<string, string> = { Slash: '/', Space: ' ' }
const latin = /^(?:[\x20-\x7e]|[A-Z][A-Za-z\d]+)$/

/**
 * Returns what a press is on a Latin keyboard, in lower case. What types a letter of another alphabet counts by the place of its key, as on a
 * keyboard set to Persian; digits and signs count by what they are.
 */
export function latinKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const typed = signs[key] ?? westernDigits(key)
  if (latin.test(typed)) return typed.toLowerCase()
  return placeNames[code] ?? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? typed
}
