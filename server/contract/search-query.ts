import { splitWords, type TextWord } from './search-words.ts'
import { t } from './texts/t.ts'

export const maxSearchQueryLength = 200
/** The maximum number of words in a query. */
const maxSearchWords = 20
const minPrefixLength = 2

/** What a query asks for, parsed by parseSearchQuery. */
export interface SearchQuery {
  /** All of them must occur. */
  terms: SearchTerm[]
  /** A line with one of them is not found. */
  excluded: SearchTerm[]
  /** Why nothing can be searched, as a sentence for a person; null when it can. */
  problem: string | null
}

/** Words that follow one another; most terms are one word. */
export interface SearchTerm {
  /** As it was typed, without quotes, minus sign and asterisk. */
  text: string
  words: SearchWord[]
  /** Typed between quotation marks. */
  isQuoted: boolean
}

interface SearchWord {
  /** One of them must occur; each is one folded word, or several that follow one another. */
  forms: string[][]
  /** The last folded word of each form begins the word that is looked for. */
  isPrefix: boolean
}

const item = /(?<minus>-)?(?:["“”„«»](?<phrase>[^"“”„«»]*)["“”„«»]?|(?<word>[^\s"“”„«»]+))/gu
const asterisk = /[*٭]+$/u

/**
 * Parses what a person types: words, "phrases", beginnings of words with `*`, and what must not occur after `-`. Words are compared as
 * keywords are (see foldText), so that spelling habits of the Arabic script, digits, case and accents do not matter.
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

/** Returns the forms of each word: whole, and as parts where it was typed with a zero-width non-joiner. */
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
 * Returns the spans of a text that match the terms of a query, in order, as UTF-16 offsets `[from, to]`, none overlapping another.
 */
export function findSearchMarks({ terms }: Pick<SearchQuery, 'terms'>, text: string): [number, number][] {
  const words = splitWords(text)
  const found = terms.flatMap((term) => findTerm(term, words))
  return mergeSpans(found.map(({ start, end }) => [start, end]))
}

/** Where a run of words begins and ends in the text. */
interface Run {
  start: number
  end: number
}

/** Runs by the position after them: of those that end at the same word one is kept, so that the time stays linear. */
type Runs = Map<number, Run>

/** Returns where a term occurs. A word that is said several times in a row counts as said once within a phrase. */
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

/** Extends runs by one word each; without `before` each word begins a run. */
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
