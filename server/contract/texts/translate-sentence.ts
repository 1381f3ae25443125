import format from 'icu-minify/format'
import type { CompiledText } from './compile-text.ts'
import { localeOf } from './interface-languages.ts'
import { currentLanguage, formatters } from './t.ts'

interface Pattern {
  matches: RegExp
  names: { name: string; isFigure: boolean }[]
  text: CompiledText
}

/** What stands for a value in the source of a pattern. */
const anything = '(.+)'
const figure = String.raw`([\d,.]+)`

/** Of each language that was asked for: the browser has one, the server several. */
const patterns = new WeakMap<object, Pattern[]>()

/**
 * Returns a sentence of the server in the reader's language. The server writes English for every reader (API keys have no language), so the sentence is
 * looked up as it stands, then among those that hold values; one that no catalog has stays as it is. A value that is such a text itself is
 * looked up too.
 */
export function translateSentence(sentence: string): string {
  const texts = globalThis.awazTexts?.texts
  if (!texts) return sentence
  const exact = texts[sentence]
  if (typeof exact === 'string') return exact
  for (const { matches, names, text } of patternsOf(texts)) {
    const found = matches.exec(sentence)
    if (!found) continue
    const values = names.map(({ name, isFigure }, index) => {
      const value = found[index + 1] ?? ''
      return [name, isFigure ? Number(value.replaceAll(',', '')) : translateValue(value)]
    })
    return String(format(text, localeOf(currentLanguage()), Object.fromEntries(values), { formatters } as never))
  }
  return sentence
}

/**
 * Returns a value in the reader's language, else with signs of direction, without which a right-to-left text would draw parts of it elsewhere. Before
 * a path or a command stands a mark only: what follows may go with it.
 */
function translateValue(value: string): string {
  if (/^(?:\/|npm )/.test(value)) return `\u200E${value}`
  const translated = translateSentence(value)
  return translated === value && /[A-Za-z]/.test(value) ? `\u2066${value}\u2069` : translated
}

function patternsOf(texts: Record<string, CompiledText>): Pattern[] {
  const known = patterns.get(texts)
  if (known) return known
  const found = Object.entries(texts).flatMap(([english, text]) => toPattern(english, text))
  // "It is {1}" would match "It is {1} of {2}" too: the longest says most.
  found.sort((a, b) => ownLength(b) - ownLength(a))
  patterns.set(texts, found)
  return found
}

/** Characters of the text without its values. */
function ownLength({ matches }: Pattern): number {
  return matches.source.replaceAll(anything, '').replaceAll(figure, '').length
}

/** Only values by position, `{1}` and `{1, number}`, are of the server. */
function toPattern(english: string, text: CompiledText): Pattern[] {
  if (!english.includes('["1"')) return []
  const parts = JSON.parse(english) as (string | [name: string, format?: number])[]
  const source = parts
    .map((part) => {
      if (typeof part === 'string') return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      return part.length > 1 ? figure : anything
    })
    .join('')
  return [
    {
      matches: new RegExp(`^${source}$`, 's'),
      names: parts.flatMap((part) => (typeof part === 'string' ? [] : { name: part[0], isFigure: part.length > 1 })),
      text,
    },
  ]
}
