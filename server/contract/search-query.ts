import { splitWords, type TextWord } from './search-words.ts'
import { t } from './texts/t.ts'

export const maxSearchQueryLength = 200
/** The maximum number of words in a query. */
const maxSearchWords = 20
const minPrefixLength = 2

/** A search query, as parsed by parseSearchQuery. */
export interface SearchQuery {
  /** Terms that must all occur. */
  terms: SearchTerm[]
  /** Lines with any of these terms are not found. */
  excluded: SearchTerm[]
  /** A sentence saying why the query cannot be searched; null when it can. */
  problem: string | null
}

/** Consecutive words; most terms are a single word. */
export interface SearchTerm {
  /** The term as typed, without quotes, minus sign and asterisk. */
  text: string
  words: SearchWord[]
  /** Whether it was typed in quotation marks. */
  isQuoted: boolean
}

interface SearchWord {
  /** Forms of which one must occur; each is one folded word, or several consecutive ones. */
  forms: string[][]
  /** Whether the last folded word of each form is only a prefix. */
  isPrefix: boolean
}

const item = /(?<minus>-)?(?:["“”„«»](?<phrase>[^"“”„«»]*)["“”„«»]?|(?<word>[^\s"“”„«»]+))/gu
const asterisk = /[*٭]+$/u

/**
 * Parses a typed query: words, "phrases", prefixes with `*`, and exclusions after `-`. Words are compared in the same way as keywords
 * (see foldText), so that spelling habits of the Arabic script, digits, case and accents do not matter.
 */
export function parseSearchQuery(text: string): SearchQuery {
  const terms: SearchTerm[] = []
  const excluded: SearchTerm[] = []
  for (const { groups = {} } of text.slice(0, maxSearchQueryLength).matchAll(item)) {
    const isQuoted = groups.phrase !== undefined
    const term = parseTerm(groups.phrase ?? groups.word ?? '', isQuoted)
    if (term) (groups.minus ? excluded : terms).push(term)
  }
  return { terms, excluded, problem: findProblem(terms, excluded) }
}

function parseTerm(typed: string, isQuoted: boolean): SearchTerm | undefined {
  const trimmed = typed.trim()
  const text = trimmed.replace(asterisk, '').trim()
  const words = groupForms(splitWords(text)).map((forms) => ({ forms, isPrefix: false }))
  const last = words.at(-1)
  if (!last) return undefined
  last.isPrefix = asterisk.test(trimmed)
  return { text, words, isQuoted }
}

/** Returns the forms of each word: whole, and as parts if it was typed with a zero-width non-joiner. */
function groupForms(words: TextWord[]): string[][][] {
  const groups: string[][][] = []
  for (let index = 0; index < words.length;) {
    const { word, span } = words[index] ?? { word: '', span: 1 }
    if (span === 1) {
      groups.push([[word]])
      index += 1
      continue
    }
    groups.push([[word], words.slice(index + 1, index + 1 + span).map((part) => part.word)])
    index += 1 + span
  }
  return groups
}

function findProblem(terms: SearchTerm[], excluded: SearchTerm[]): string | null {
  const all = [...terms, ...excluded].flatMap(({ words }) => words)
  if (terms.length === 0) return excluded.length > 0 ? t('Please add a word that must occur') : t('Please enter a word')
  if (all.length > maxSearchWords)
    return t('Please search for at most {count, plural, one {# word} other {# words}} at once', {
      count: maxSearchWords,
    })
  const isShort = all.some(({ isPrefix, forms }) => isPrefix && [...(forms[0]?.[0] ?? '')].length < minPrefixLength)
  if (!isShort) return null
  return t('Please enter at least {count, plural, one {# letter} other {# letters}} before the asterisk', {
    count: minPrefixLength,
  })
}

/**
 * Returns the non-overlapping spans of a text that match the terms of a query, in order, as UTF-16 offsets `[from, to]`.
 */
export function findSearchMarks({ terms }: Pick<SearchQuery, 'terms'>, text: string): [number, number][] {
  const words = splitWords(text)
  const found = terms.flatMap((term) => findTerm(term, words))
  return mergeSpans(found.map(({ start, end }) => [start, end]))
}

/** The start and end of a run of words in the text. */
interface Run {
  start: number
  end: number
}

/** Runs by the position after them. Only one run is kept per end position, so that the time stays linear. */
type Runs = Map<number, Run>

/** Returns where a term occurs. Within a phrase, a word repeated several times in a row counts once. */
function findTerm({ words }: SearchTerm, text: TextWord[]): Run[] {
  let runs: Runs | undefined
  for (const { forms, isPrefix } of words) {
    const before: Runs | undefined = runs
    const ends = forms.map((form) => followForm(before, form, text, { isPrefix, isPhrase: words.length > 1 }))
    runs = new Map(ends.flatMap((found) => [...(found ?? [])]))
  }
  return [...(runs ?? new Map<number, Run>()).values()]
}

function followForm(
  before: Runs | undefined,
  form: string[],
  text: TextWord[],
  { isPrefix, isPhrase }: { isPrefix: boolean; isPhrase: boolean },
): Runs | undefined {
  let runs = before
  for (const [index, part] of form.entries()) {
    const isOpen = isPrefix && index === form.length - 1
    const matching = text.filter(({ word }) => (isOpen ? word.startsWith(part) : word === part))
    runs = followWord(runs, matching, isPhrase || form.length > 1)
  }
  return runs
}

/** Extends runs by one word each; without `before`, each word begins a run. */
function followWord(before: Runs | undefined, matching: TextWord[], mayRepeat: boolean): Runs {
  const after: Runs = new Map()
  for (const { start, end, position, span } of matching) {
    const previous = before ? (before.get(position) ?? (mayRepeat ? after.get(position) : undefined)) : { start, end }
    if (previous) after.set(position + span, { start: previous.start, end })
  }
  return after
}

function mergeSpans(spans: [number, number][]): [number, number][] {
  const merged: [number, number][] = []
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = merged.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}
