import format from 'icu-minify/format'
import type { CompiledText } from './compile-text.ts'
import { localeOf } from './interface-languages.ts'
import { currentLanguage, formatters } from './t.ts'

interface Pattern {
  matches: RegExp
  names: { name: string; isFigure: boolean }[]
  text: CompiledText
}

/** Matches a value in the source of a pattern. */
const anything = '(.+)'
const figure = String.raw`([\d,.]+)`

/** Patterns per language used: the browser has one language, the server several. */
const patterns = new WeakMap<object, Pattern[]>()

/**
 * Returns a sentence from the server in the reader's language. The server writes English for every reader (API keys have no language), so
 * the sentence is looked up literally, then among the texts with values; a sentence that is in no catalog is returned unchanged. A value
 * that is itself such a text is also looked up.
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
 * Returns a value in the reader's language, or otherwise with directional characters, without which a right-to-left text would display
 * parts of it elsewhere. A path or command only gets a mark before it, because what follows may belong to it.
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
  // "It is {1}" would also match "It is {1} of {2}"; the longest pattern is the most specific.
  found.sort((a, b) => ownLength(b) - ownLength(a))
  patterns.set(texts, found)
  return found
}

/** Returns the number of characters of the text without its values. */
function ownLength({ matches }: Pattern): number {
  return matches.source.replaceAll(anything, '').replaceAll(figure, '').length
}

/** Only texts with positional values, `{1}` and `{1, number}`, are from the server. */
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
