import { currentLanguage, setNumberLocale } from '#contract/texts/t.ts'
import { localeOf } from '#contract/texts/interface-languages.ts'

/** How figures are written: with the digits of the language, or with 0 to 9. */
export type Digits = 'native' | 'latin'
export const calendars = ['gregory', 'persian', 'islamic-umalqura'] as const
export type Calendar = (typeof calendars)[number]

/** The user's choices besides the language. */
export interface DisplayChoices {
  digits: Digits
  calendar: Calendar
}

const storageKey = 'awaz_display'
/** The digits of each language, by their Unicode names (UTS 35). */
const nativeDigits: Partial<Record<string, string>> = { fa: 'arabext', ps: 'arabext', ur: 'arabext', ar: 'arab' }

/** Returns the choices before the user makes any: the calendar of Iran and Afghanistan in their languages, each language's own digits. */
export function defaultDisplay(language = currentLanguage()): DisplayChoices {
  return {
    digits: language === 'ur' || language === 'en' ? 'latin' : 'native',
    calendar: language === 'fa' || language === 'ps' ? 'persian' : 'gregory',
  }
}

/** Returns the user's choices in this browser. */
export function readDisplay(): DisplayChoices {
  const defaults = defaultDisplay()
  try {
    const stored: Partial<DisplayChoices> = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return {
      digits: stored.digits === 'native' || stored.digits === 'latin' ? stored.digits : defaults.digits,
      calendar: calendars.find((each) => each === stored.calendar) ?? defaults.calendar,
    }
  } catch {
    return defaults
  }
}

/** Stores the choices; like the language, they take effect when the page is next loaded. */
export function storeDisplay(choices: DisplayChoices): void {
  localStorage.setItem(storageKey, JSON.stringify(choices))
}

/** Returns the BCP 47 tag of the language with the user's digits and calendar (RFC 6067), for every figure, date and list shown. */
export function displayLocale(): string {
  const language = currentLanguage()
  const { digits, calendar } = readDisplay()
  const numbering = (digits === 'native' && nativeDigits[language]) || 'latn'
  // Orders dates as day, month, year.
  const base = language === 'en' ? 'en-GB' : localeOf(language)
  return `${base}-u-ca-${calendar}-nu-${numbering}`
}

setNumberLocale(displayLocale())
