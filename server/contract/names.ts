import { z } from 'zod'
import { Email } from './scalars.ts'
import { t } from './texts/t.ts'
import { latinByLookAlike } from './look-alikes.ts'

const latinLetters: ReadonlyMap<string, string> = new Map(Object.entries(latinByLookAlike))

/**
 * Names that people choose. They are shown to others, so they must not contain invisible characters or anything that makes one account
 * look like another (Unicode UTS 39). These rules apply to new names: existing accounts keep theirs.
 */

const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const stackedMarks = (max: number) => new RegExp(`\\p{M}{${max + 1}}`, 'u')

/** Letters and digits of one script, with single dots, hyphens and underscores between them; in compatibility form NFKC. */
export const Username = z
  .string()
  .trim()
  .normalize('NFKC')
  .min(1, { error: t('Username is required'), abort: true })
  .max(64, { error: t('Username must be at most 64 characters'), abort: true })
  .refine((name) => /^[\p{L}\p{M}\p{Nd}._-]+$/u.test(name) && !invisible.test(name) && !stackedMarks(4).test(name), {
    error: t('Username may hold letters, digits, dots, hyphens and underscores'),
    abort: true,
  })
  .refine((name) => /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}]*(?:[._-][\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}]*)*$/u.test(name), {
    error: t('Username must begin and end with a letter or digit and have single signs between them'),
    abort: true,
  })
  .refine(isOfOneScript, t('Username must be written in one script'))

/**
 * A person's first or last name, trimmed. Names may be in any script or mix scripts; ZWNJ and ZWJ only between letters that they join or
 * separate, as in Persian `امیر‌حسین`. At most 100 characters.
 */
export const PersonName = z
  .string()
  .trim()
  .normalize('NFC')
  .max(100)
  .refine(isVisible, t('Names may not hold control or invisible characters'))

/** Validates the names of a profile update. */
export const ChangedNames = z.object({
  first_name: PersonName.optional(),
  last_name: PersonName.optional(),
  username: Username.optional(),
})

/** An address to which mail can be sent, without invisible characters. For people for whom a provider vouches. */
export const DeliverableEmail = Email.refine(isAddress, { error: t('Please enter a valid email address'), abort: true })

/**
 * The address of a new account: the part before the @ and each part of the domain must be in one script, and the address must not look like
 * one in Latin letters (Unicode UTS 39, sections 4 and 5.1). Signing in accepts any `Email`, for accounts that predate these rules.
 */
export const NewEmail = DeliverableEmail.refine(isUnmixed, {
  error: t('Email must not mix letters of several scripts'),
  abort: true,
}).refine((address) => !isLookAlikeAddress(address), t('Email must not have letters that look like Latin ones'))

const joiner =
  /([\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Sinhala}\p{M}])[\u200C\u200D](?![\u200C\u200D])/gu

function isVisible(name: string): boolean {
  return !invisible.test(name.replace(joiner, '$1')) && !stackedMarks(8).test(name)
}

/** Scripts that are used together in one language. */
const scriptSets = [
  'Latin',
  'Arabic',
  'Cyrillic',
  'Greek',
  'Hebrew',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Thai',
  'Lao',
  'Tibetan',
  'Myanmar',
  'Georgian',
  'Armenian',
  'Ethiopic',
  'Khmer',
  'Mongolian',
  'Thaana',
  'Syriac',
  'Nko',
  'Tifinagh',
].map((script) => new RegExp(`^[\\p{Script_Extensions=${script}}\\p{Script=Common}\\p{Script=Inherited}]+$`, 'u'))
const hanSets = ['\\p{scx=Hiragana}\\p{scx=Katakana}', '\\p{scx=Hangul}', '\\p{scx=Bopomofo}'].map(
  (others) => new RegExp(`^[\\p{scx=Han}${others}\\p{Script=Common}\\p{Script=Inherited}]+$`, 'u'),
)

function isOfOneScript(name: string): boolean {
  const systems = new Set([...name.matchAll(/\p{Nd}/gu)].map(([digit]) => zeroOf(digit)))
  if (systems.size > 1) return false
  // Digits may accompany letters of any script, as in `نادیه7` and `أحمد۷`.
  const letters = name.replace(/[\p{Nd}._-]/gu, '')
  return letters === '' || [...scriptSets, ...hanSets].some((set) => set.test(letters))
}

/** Returns the zero of the digit's system: the ten digits of each are consecutive (Unicode stability policy). */
function zeroOf(digit: string): number {
  let code = digit.codePointAt(0) ?? 0
  let steps = 0
  while (steps < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - 1))) {
    code -= 1
    steps += 1
  }
  return code
}

function isUnmixed(address: string): boolean {
  const at = address.lastIndexOf('@')
  const parts = [address.slice(0, at), ...address.slice(at + 1).split('.')]
  return parts.every((part) => [...scriptSets, ...hanSets].some((set) => set.test(part)))
}

const localPart = /^[^.@]+(?:\.[^.@]+)*$/u
const domain =
  /^(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/** RFC 5321, section 4.5.3.1, and RFC 1035, section 2.3.1, with the letters of RFC 6531. */
function isAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  return !invisible.test(address) && local.length <= 64 && localPart.test(local) && domain.test(address.slice(at + 1))
}

/**
 * Returns whether a person would mistake an address for one in Latin letters: its domain looks Latin, or the part before the @ does and the
 * domain is Latin. The domain of `роса@пример.рф` shows that it is Cyrillic.
 *
 * @param address in lowercase
 */
function isLookAlikeAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)].map((part) => part.normalize('NFKC'))
  if (local === undefined || domain === undefined) return false
  if (looksLatin(domain)) return true
  return isLatin(domain) && looksLatin(local)
}

function looksLatin(part: string): boolean {
  return !isLatin(part) && isLatin([...part].map((letter) => latinLetters.get(letter) ?? letter).join(''))
}

/** Returns whether it is only ASCII, as nearly all addresses are. */
function isLatin(part: string): boolean {
  return /^[ -~]*$/.test(part)
}
