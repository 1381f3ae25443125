import { z } from 'zod'
import { localeOf } from './texts/interface-languages.ts'
import { currentLanguage } from './texts/t.ts'

/** A language known to the product: English name, native name and writing direction. */
export interface Language {
  name: string
  nativeName: string
  direction: 'ltr' | 'rtl'
}

function ltr(name: string, nativeName: string): Language {
  return { name, nativeName, direction: 'ltr' }
}

function rtl(name: string, nativeName: string): Language {
  return { name, nativeName, direction: 'rtl' }
}

/**
 * Languages offered for translation, by ISO 639-1 code. For the languages that the active models handle, see `features` of GET
 * /api/languages. "50+ languages": audio-workflow specification, section 1.
 */
export const translationLanguages = {
  ps: rtl('Pashto', 'پښتو'),
  en: ltr('English', 'English'),
  ur: rtl('Urdu', 'اردو'),
  fa: rtl('Persian', 'فارسی'),
  ar: rtl('Arabic', 'العربية'),
  af: ltr('Afrikaans', 'Afrikaans'),
  am: ltr('Amharic', 'አማርኛ'),
  az: ltr('Azerbaijani', 'Azərbaycanca'),
  be: ltr('Belarusian', 'Беларуская'),
  bg: ltr('Bulgarian', 'Български'),
  bn: ltr('Bengali', 'বাংলা'),
  bs: ltr('Bosnian', 'Bosanski'),
  ca: ltr('Catalan', 'Català'),
  cs: ltr('Czech', 'Čeština'),
  da: ltr('Danish', 'Dansk'),
  de: ltr('German', 'Deutsch'),
  el: ltr('Greek', 'Ελληνικά'),
  es: ltr('Spanish', 'Español'),
  et: ltr('Estonian', 'Eesti'),
  fi: ltr('Finnish', 'Suomi'),
  fr: ltr('French', 'Français'),
  gu: ltr('Gujarati', 'ગુજરાતી'),
  ha: ltr('Hausa', 'Hausa'),
  he: rtl('Hebrew', 'עברית'),
  hi: ltr('Hindi', 'हिन्दी'),
  hr: ltr('Croatian', 'Hrvatski'),
  hu: ltr('Hungarian', 'Magyar'),
  hy: ltr('Armenian', 'Հայերեն'),
  id: ltr('Indonesian', 'Bahasa Indonesia'),
  it: ltr('Italian', 'Italiano'),
  ja: ltr('Japanese', '日本語'),
  ka: ltr('Georgian', 'ქართული'),
  kk: ltr('Kazakh', 'Қазақша'),
  ko: ltr('Korean', '한국어'),
  ky: ltr('Kyrgyz', 'Кыргызча'),
  lt: ltr('Lithuanian', 'Lietuvių'),
  lv: ltr('Latvian', 'Latviešu'),
  mr: ltr('Marathi', 'मराठी'),
  ms: ltr('Malay', 'Bahasa Melayu'),
  ne: ltr('Nepali', 'नेपाली'),
  nl: ltr('Dutch', 'Nederlands'),
  no: ltr('Norwegian', 'Norsk'),
  pa: ltr('Punjabi', 'ਪੰਜਾਬੀ'),
  pl: ltr('Polish', 'Polski'),
  pt: ltr('Portuguese', 'Português'),
  ro: ltr('Romanian', 'Română'),
  ru: ltr('Russian', 'Русский'),
  sd: rtl('Sindhi', 'سنڌي'),
  sk: ltr('Slovak', 'Slovenčina'),
  sl: ltr('Slovenian', 'Slovenščina'),
  so: ltr('Somali', 'Soomaali'),
  sq: ltr('Albanian', 'Shqip'),
  sr: ltr('Serbian', 'Српски'),
  sv: ltr('Swedish', 'Svenska'),
  sw: ltr('Swahili', 'Kiswahili'),
  ta: ltr('Tamil', 'தமிழ்'),
  te: ltr('Telugu', 'తెలుగు'),
  tg: ltr('Tajik', 'Тоҷикӣ'),
  th: ltr('Thai', 'ไทย'),
  tk: ltr('Turkmen', 'Türkmençe'),
  tr: ltr('Turkish', 'Türkçe'),
  uk: ltr('Ukrainian', 'Українська'),
  uz: ltr('Uzbek', 'Oʻzbekcha'),
  vi: ltr('Vietnamese', 'Tiếng Việt'),
  zh: ltr('Chinese', '中文'),
} as const satisfies Record<string, Language>

export type TranslationLanguage = keyof typeof translationLanguages

/** Languages offered for transcription (audio-workflow specification, section 9), the default first. */
export const transcriptionLanguages = ['ps', 'en', 'ur', 'fa', 'ar'] as const

export const TranscriptionLanguage = z.enum(transcriptionLanguages)
export type TranscriptionLanguage = z.infer<typeof TranscriptionLanguage>

/**
 * The language choices for a transcription: one language, `auto` to detect the language of the whole channel, or `multi`
 * to detect the language of each part, for speakers who switch.
 */
export const TranscriptionLanguageChoice = z.enum(['auto', 'multi', ...transcriptionLanguages])
export type TranscriptionLanguageChoice = z.infer<typeof TranscriptionLanguageChoice>

/** Returns whether the language must be detected. */
export function isDetection(language: TranscriptionLanguageChoice): language is 'auto' | 'multi' {
  return language === 'auto' || language === 'multi'
}

/** Default transcription language and translation target (audio-workflow specification, section 9). */
export const defaultTranscriptionLanguage = 'ps'
export const defaultTargetLanguage = 'en'

/** Returns whether `code` is offered for translation. */
export function isTranslationLanguage(code: string): code is TranslationLanguage {
  return Object.hasOwn(translationLanguages, code)
}

/** Returns the description of a language; an unknown language has its code as its name. */
export function describeLanguage(code: string): Language {
  return isTranslationLanguage(code) ? translationLanguages[code] : ltr(code, code)
}

/** Language names per interface language, because a server uses several. */
const localNames = new Map<string, Intl.DisplayNames>()

function localName(code: string): string | undefined {
  const language = currentLanguage()
  if (language === 'en') return undefined
  const known = localNames.get(language)
  const names = known ?? new Intl.DisplayNames([localeOf(language), 'en'], { type: 'language', fallback: 'none' })
  if (!known) localNames.set(language, names)
  return names.of(code)
}

/** Returns the name of a language in the interface language: `Pashto` for `ps` in English. */
export function languageName(code: string): string {
  return (isTranslationLanguage(code) ? localName(code) : undefined) ?? describeLanguage(code).name
}
