import format from 'icu-minify/format'
import { compileText, type CompiledText } from './compile-text.ts'
import { localeOf, type InterfaceLanguageCode } from './interface-languages.ts'

/** The texts of a language, by the compiled English text. */
export interface LoadedTexts {
  language: InterfaceLanguageCode
  texts: Record<string, CompiledText>
}

type TextValues = Record<string, string | number>

declare global {
  /** Set by /texts/LANGUAGE.js, which the page loads before its own scripts. Absent in English and outside the browser. */
  var awazTexts: LoadedTexts | undefined
}

/** The language that the reader sees. */
export function currentLanguage(): InterfaceLanguageCode {
  return globalThis.awazTexts?.language ?? 'en'
}

let numberLocale: string | undefined

/** Sets how figures within texts are written, as a BCP 47 tag: with the reader's digits, where they are not those of the language. */
export function setNumberLocale(locale: string): void {
  numberLocale = locale
}

/** What `format` of icu-minify writes figures and dates with. */
export const formatters = {
  getNumberFormat: (locale: string, options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(numberLocale ?? locale, options),
  getPluralRules: (locale: string, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options),
  getDateTimeFormat: (locale: string, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
}

/**
 * Returns `text` in the reader's language. `text` is English, in ICU MessageFormat (`{count, plural, one {# line} other {# lines}}`),
 * written out as one literal, because scripts/check/texts.ts collects them. A name among `values` is isolated by the caller. A word that other
 * languages say in several ways says which one it is after a bar: `Open|registration`.
 */
export function t(text: string, values?: TextValues): string {
  return String(formatText(text, values))
}

/** `Open|registration` is shown as `Open`. */
function withoutContext(text: CompiledText): CompiledText {
  return typeof text === 'string' ? (text.split('|', 1)[0] ?? text) : text
}

/** As `t`, for texts with tags: returns the string, or its parts in order. */
export function formatText(text: string, values?: Record<string, unknown>): unknown {
  const english = compileText(text)
  const loaded = globalThis.awazTexts
  const found = loaded?.texts[typeof english === 'string' ? english : JSON.stringify(english)]
  const locale = found === undefined ? 'en' : localeOf(loaded?.language ?? 'en')
  return format(found ?? withoutContext(english), locale, values as never, { formatters } as never)
}
