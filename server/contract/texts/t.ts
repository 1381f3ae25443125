import format from 'icu-minify/format'
import { compileText, type CompiledText } from './compile-text.ts'
import { localeOf, type InterfaceLanguageCode } from './interface-languages.ts'

/** The texts of a language, keyed by the compiled English text. */
export interface LoadedTexts {
  language: InterfaceLanguageCode
  texts: Record<string, CompiledText>
}

type TextValues = Record<string, string | number>

declare global {
  /** Set by /texts/LANGUAGE.js, which the page loads before its own scripts. Absent in English and outside the browser. */
  var awazTexts: LoadedTexts | undefined
}

/** Returns the language that the reader sees. */
export function currentLanguage(): InterfaceLanguageCode {
  return globalThis.awazTexts?.language ?? 'en'
}

let numberLocale: string | undefined

/** Sets the BCP 47 tag for numbers within texts: with the reader's digits, if they differ from those of the language. */
export function setNumberLocale(locale: string): void {
  numberLocale = locale
}

/** The formatters that `format` of icu-minify uses for numbers and dates. */
export const formatters = {
  getNumberFormat: (locale: string, options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(numberLocale ?? locale, options),
  getPluralRules: (locale: string, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options),
  getDateTimeFormat: (locale: string, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
}

/**
 * Returns `text` in the reader's language. `text` is English, in ICU MessageFormat (`{count, plural, one {# line} other {# lines}}`),
 * written as one literal, because scripts/check/texts.ts collects the literals. The caller isolates names among `values`. A word that has
 * several translations is disambiguated by a context after a bar: `Open|registration`.
 */
export function t(text: string, values?: TextValues): string {
  return String(formatText(text, values))
}

/** `Open|registration` is shown as `Open`. */
function withoutContext(text: CompiledText): CompiledText {
  return typeof text === 'string' ? (text.split('|', 1)[0] ?? text) : text
}

/** Like `t`, but for texts with tags: returns the string, or its parts in order. */
export function formatText(text: string, values?: Record<string, unknown>): unknown {
  const english = compileText(text)
  const loaded = globalThis.awazTexts
  const found = loaded?.texts[typeof english === 'string' ? english : JSON.stringify(english)]
  const locale = found === undefined ? 'en' : localeOf(loaded?.language ?? 'en')
  return format(found ?? withoutContext(english), locale, values as never, { formatters } as never)
}
