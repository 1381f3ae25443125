import format from 'icu-minify/format'
import { compileText, type CompiledText } from '#contract/texts/compile-text.ts'
import { withoutContext } from './pseudo-language.ts'
import { escapePattern, listTextForms, type TextForm } from './text-forms.ts'

/** What a test looks for: a text or a pattern. */
export type LocatorText = string | RegExp

/** Translates what a test looks for on an English page into what another language shows there; names that people chose stay the same. */
export interface TestTranslator {
  /** Returns the translated text as shown, with the values of the English text. */
  translate: (english: string) => string
  /** Returns what finds the text that `wanted` finds in English. As in Playwright, a string may match a part unless it is exact. */
  find: (wanted: LocatorText, isExact?: boolean) => LocatorText
}

interface Text {
  forms: TextForm[]
  translated: CompiledText
}

const formatters = {
  getNumberFormat: (tag: string, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options),
  getPluralRules: (tag: string, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(tag, options),
}

/** Returns a translator that uses a language's texts (server/contract/texts) and further words of the page, such as language names. */
export function createTestTranslator(
  texts: Record<string, string>,
  locale: string,
  words: Record<string, string> = {},
): TestTranslator {
  const all: Text[] = [...Object.entries(texts), ...Object.entries(words)].map(([english, translated]) => ({
    forms: listTextForms(compileText(withoutContext(english))),
    translated: compileText(translated),
  }))
  const plain = all.flatMap(({ forms, translated }) =>
    typeof translated === 'string' ? [{ english: forms[0]?.sample ?? '', translated }] : [],
  )

  function translate(english: string): string {
    return listWhole(english)[0] ?? english
  }

  /** Lists the translations of a whole text: all of them if its English has several meanings, else that of the longest matching form. */
  function listWhole(english: string): string[] {
    const exact = plain.filter((text) => text.english === english)
    if (exact.length > 0) return [...new Set(exact.map(({ translated }) => translated))]
    const found = all.flatMap(({ forms, translated }) => {
      const [form] = forms.filter((each) => each.readValues(english))
      return form ? [{ form, translated }] : []
    })
    const [best] = found.toSorted((a, b) => b.form.sample.length - a.form.sample.length)
    return best ? [show(best.translated, best.form.readValues(english) ?? {})] : []
  }

  function show(text: CompiledText, values: Record<string, string>): string {
    const known = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : translate(value)]),
    ) as Record<string, unknown>
    // Tags are elements on the page, not part of its text.
    const shown = new Proxy(known, {
      has: () => true,
      get: (own, name) => own[String(name)] ?? ((content: unknown) => content),
    })
    const parts = format(text, locale, shown as never, { formatters } as never) as unknown
    return [parts].flat(3).join('')
  }

  function find(wanted: LocatorText, isExact = false): LocatorText {
    if (wanted instanceof RegExp) return findMatching(wanted)
    if (wanted === '') return wanted
    const whole = listWhole(wanted)
    if (whole.length > 0)
      return isExact ? findAny(whole.map((text) => `^${escapePattern(text)}$`)) : findPart(wanted, whole)
    const counted = sayCounted(wanted)
    if (counted !== undefined) return findAny([escapePattern(counted)])
    const found = isExact ? [] : listSources(new RegExp(escapePattern(wanted), 'i'))
    return found.length > 0 ? findAny([...found, escapePattern(wanted)]) : wanted
  }

  /**
   * Finds a text within other texts too, except where the English texts do not contain each other: in Persian "First name" is within
   * "Username".
   */
  function findPart(wanted: string, whole: string[]): RegExp {
    const others = plain.filter(
      ({ english, translated }) =>
        whole.some((text) => translated !== text && translated.includes(text)) &&
        !english.toLowerCase().includes(wanted.toLowerCase()),
    )
    const unwanted =
      others.length > 0 ? `(?!.*(?:${others.map((text) => escapePattern(text.translated)).join('|')}))` : ''
    return findAny(whole.map((text) => `^${unwanted}.*${escapePattern(text)}`))
  }

  function findMatching(wanted: RegExp): RegExp {
    if (/^\d+$/.test(wanted.source)) return findAny([wanted.source])
    const words = unescape(wanted.source.replace(/^\^/, '').replace(/\$$/, ''))
    const counted = sayCounted(words)
    const found = counted === undefined ? listSources(wanted) : [escapePattern(counted)]
    const sources = found.length > 0 ? found : listBeginning(words)
    if (sources.length === 0) return wanted
    const [start, end] = [wanted.source.startsWith('^') ? '^' : '', wanted.source.endsWith('$') ? '$' : '']
    return findAny(sources.map((source) => `${start}(?:${source})${end}`))
  }

  /** Translates a word followed by a number, as in tabs: `Notes 1`. */
  function sayCounted(wanted: string): string | undefined {
    const [, word = '', count] = /^(.+) (\d+)$/.exec(wanted) ?? []
    const [translated] = listWhole(word)
    return translated === undefined ? undefined : `${translated} ${count}`
  }

  /** Lists patterns for the texts whose English matches. */
  function listSources(wanted: RegExp): string[] {
    return all
      .filter(({ forms }) => forms.some(({ sample }) => wanted.test(sample)))
      .flatMap(({ translated }) => listTextForms(translated).map((form) => form.toSource()))
  }

  /** Lists patterns for texts that begin with words and the beginning of a value, such as "Actions for sample-call". */
  function listBeginning(words: string): string[] {
    return all.flatMap(({ forms, translated }) => {
      const [values] = forms.map((form) => form.readBeginning(words)).filter((each) => each !== undefined)
      return values ? listTextForms(translated).map((form) => form.toSource(values)) : []
    })
  }

  /** Returns a pattern that matches any of the sources; numbers may be in the digits of the language. */
  function findAny(sources: string[]): RegExp {
    const withDigits = [...new Set(sources)].map((source) =>
      source
        .replaceAll(/\d+/g, (digits) => `(?:${digits}|${inDigitsOf(locale, digits)})`)
        .replaceAll(' ', String.raw`\s*`),
    )
    return new RegExp(withDigits.join('|'))
  }

  return { translate, find }
}

function inDigitsOf(locale: string, digits: string): string {
  const { format: write } = new Intl.NumberFormat(locale)
  return digits.replaceAll(/\d/g, (digit) => write(Number(digit)))
}

function unescape(pattern: string): string {
  return pattern.replaceAll(/\\([.*+?^${}()|[\]\\])/g, '$1')
}
