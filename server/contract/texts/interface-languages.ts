import { z } from 'zod'

interface InterfaceLanguage {
  /** Its own name, as a reader of it looks for it. */
  name: string
  direction: 'ltr' | 'rtl'
  /** BCP 47 tag that dates, numbers and plurals follow. */
  locale: string
  /** No speaker of the language has read its texts yet. */
  isMachineWritten: boolean
}

/** Languages of the interface, by ISO 639-1 code. English is the source: its texts stand in the code. */
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

/** Cookie that holds the chosen language: the server must know it before the page can say anything. */
export const languageCookie = 'awaz_language'

/** Returns the language of a cookie's value, or undefined where it names none. */
export function parseInterfaceLanguage(value: string | undefined): InterfaceLanguageCode | undefined {
  const parsed = InterfaceLanguageCode.safeParse(value)
  return parsed.success ? parsed.data : undefined
}

/**
 * Returns the BCP 47 tag by which dates, figures and names of languages are written. Chromium has no data of Pashto and would write English: those
 * of Dari, Afghanistan's other language, stand in for them.
 */
export function localeOf(language: InterfaceLanguageCode): string {
  const { locale } = interfaceLanguages[language]
  return Intl.NumberFormat.supportedLocalesOf(locale).length > 0 ? locale : 'fa-AF'
}
