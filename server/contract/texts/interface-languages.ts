import { z } from 'zod'

interface InterfaceLanguage {
  /** Its native name, for which its readers look. */
  name: string
  direction: 'ltr' | 'rtl'
  /** BCP 47 tag used for dates, numbers and plurals. */
  locale: string
  /** Whether no speaker of the language has reviewed its texts yet. */
  isMachineWritten: boolean
}

/** Languages of the interface, by ISO 639-1 code. English is the source: its texts are in the code. */
export const interfaceLanguages = {
  en: { name: 'English', direction: 'ltr', locale: 'en', isMachineWritten: false },
  fa: { name: 'فارسی', direction: 'rtl', locale: 'fa', isMachineWritten: true },
  ps: { name: 'پښتو', direction: 'rtl', locale: 'ps', isMachineWritten: true },
  ur: { name: 'اردو', direction: 'rtl', locale: 'ur', isMachineWritten: true },
  ar: { name: 'العربية', direction: 'rtl', locale: 'ar', isMachineWritten: true },
} as const satisfies Record<string, InterfaceLanguage>

export const InterfaceLanguageCode = z.enum(
  Object.keys(interfaceLanguages) as [keyof typeof interfaceLanguages, ...(keyof typeof interfaceLanguages)[]],
)
export type InterfaceLanguageCode = z.infer<typeof InterfaceLanguageCode>

/** The cookie with the chosen language, which the server must know before the page can show any text. */
export const languageCookie = 'awaz_language'

/** Returns the language named by a cookie's value, or undefined if it names none. */
export function parseInterfaceLanguage(value: string | undefined): InterfaceLanguageCode | undefined {
  const parsed = InterfaceLanguageCode.safeParse(value)
  return parsed.success ? parsed.data : undefined
}

/**
 * Returns the BCP 47 tag for formatting dates, numbers and language names. Chromium has no data for Pashto and would use English, so Dari,
 * Afghanistan's other language, stands in for it.
 */
export function localeOf(language: InterfaceLanguageCode): string {
  const { locale } = interfaceLanguages[language]
  return Intl.NumberFormat.supportedLocalesOf(locale).length > 0 ? locale : 'fa-AF'
}
