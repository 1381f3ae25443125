import { latinByLookAlike } from '#contract/look-alikes.ts'

/**
 * Letters of other scripts that look like Latin ones, including those that merely resemble one. Capitals are listed if they look like a
 * different letter than the small one.
 */
const latinLetters = new Map(
  Object.entries({
    ...latinByLookAlike,
    в: 'b',
    н: 'h',
    к: 'k',
    м: 'm',
    г: 'r',
    т: 't',
    п: 'n',
    А: 'A',
    В: 'B',
    С: 'C',
    Е: 'E',
    Н: 'H',
    І: 'I',
    Ј: 'J',
    К: 'K',
    М: 'M',
    О: 'O',
    Р: 'P',
    Ѕ: 'S',
    Т: 'T',
    Х: 'X',
    У: 'Y',
    Ү: 'Y',
    β: 'b',
    ε: 'e',
    η: 'n',
    κ: 'k',
    τ: 't',
    χ: 'x',
    ω: 'w',
    Α: 'A',
    Β: 'B',
    Ε: 'E',
    Ζ: 'Z',
    Η: 'H',
    Ι: 'I',
    Κ: 'K',
    Μ: 'M',
    Ν: 'N',
    Ο: 'O',
    Ρ: 'P',
    Τ: 'T',
    Υ: 'Y',
    Χ: 'X',
    // The same letter on Arabic, Persian, Urdu and Pashto keyboards.
    ي: 'ی',
    ى: 'ی',
    ك: 'ک',
    ہ: 'ه',
    ھ: 'ه',
    ە: 'ه',
    ة: 'ه',
    ۀ: 'ه',
    ۃ: 'ه',
    ـ: '',
  }),
)

/**
 * Returns a key that is equal for usernames that a person cannot tell apart: it folds letter case, and look-alike letters and digits of
 * other scripts (Unicode UTS 39, section 4). Accounts older than this rule have the lowercase name as their key.
 */
export function usernameKey(username: string): string {
  return [...username.normalize('NFKC')]
    .map((character) => latinLetters.get(character) ?? toAsciiDigit(character))
    .join('')
    .toLowerCase()
}

function toAsciiDigit(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const zero = [0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6].find((start) => code >= start && code <= start + 9)
  return zero === undefined ? character : String(code - zero)
}
