import type { SearchTerm } from '#contract/search-query.ts'
import { languageWord, speakerWord } from '#data/search/build-segment.ts'
import type { ShownQueries } from './spell-names.ts'
import type { OpenIndex, WordOccurrences } from '#data/search/index-reader.ts'
import type { WantedWord } from '#data/search/plan-reads.ts'

/** Ordinals of recordings. */
type Ordinals = Pick<ReadonlySet<number>, 'has' | 'keys'>

/** A term with the occurrences of its words: by word, by form of the word, by part of the form. */
export interface ReadTerm {
  term: SearchTerm
  occurrences: WordOccurrences[][][]
  /** Recordings that may have lines with the term: they contain all words of some form of each word, in any order. */
  ordinals: Ordinals
}

/** A query with everything the index holds about it. */
export interface ReadQuery {
  terms: ReadTerm[]
  /** The same terms in the form used to search the names of recordings. */
  nameTerms: SearchTerm[]
  excluded: ReadTerm[]
  /** Lines must match all of these. */
  facets: WordOccurrences[]
  /** Returns the occurrences of a word of the query, or of one of its other spellings. */
  occurrencesOf: (word: string) => WordOccurrences
}

export interface LineFilter {
  speaker?: string | undefined
  language?: string | undefined
}

interface ReadOptions {
  queries: ShownQueries
  /** For words that only other spellings contain: the ids of segments without them. */
  missingIn: ReadonlyMap<string, ReadonlySet<string>>
  filter: LineFilter
  maxBytes: number
}

/** Reads the words of a query from an owner's index, each only once. */
export async function readQuery(
  index: OpenIndex,
  { queries, missingIn, filter, maxBytes }: ReadOptions,
): Promise<ReadQuery> {
  const facetWords = [
    ...(filter.speaker ? [speakerWord(filter.speaker)] : []),
    ...(filter.language ? [languageWord(filter.language)] : []),
  ]
  const query = queries.inLines
  const all = [...query.terms, ...query.excluded]
  const wanted = new Map<string, WantedWord>()
  const toWanted = (word: string, isPrefix: boolean): WantedWord => {
    const missing = isPrefix ? undefined : missingIn.get(word)
    return { word, isPrefix, ...(missing && { missingIn: missing }) }
  }
  for (const word of facetWords) wanted.set(keyOf(word, false), { word, isPrefix: false })
  for (const term of all) {
    forEachPart(term, (word, isPrefix) => void wanted.set(keyOf(word, isPrefix), toWanted(word, isPrefix)))
  }
  const read = await index.readWords([...wanted.values()], { maxBytes })
  const byKey = new Map([...wanted.keys()].map((key, index) => [key, read[index] ?? new Map()]))
  const find = (word: string, isPrefix: boolean): WordOccurrences => byKey.get(keyOf(word, isPrefix)) ?? new Map()
  const withOccurrences = (term: SearchTerm): ReadTerm => {
    const occurrences = mapParts(term, find)
    return { term, occurrences, ordinals: findOrdinals(occurrences) }
  }
  return {
    terms: query.terms.map(withOccurrences),
    nameTerms: queries.inNames.terms,
    excluded: query.excluded.map(withOccurrences),
    facets: facetWords.map((word) => find(word, false)),
    occurrencesOf: (word) => find(word, false),
  }
}

/** Returns the recordings that have all parts of some form of each word. */
function findOrdinals(occurrences: WordOccurrences[][][]): Ordinals {
  const [first, ...others] = occurrences.map(haveAnyForm)
  if (!first || others.length === 0) return first ?? new Set()
  return new Set([...first.keys()].filter((ordinal) => others.every((word) => word.has(ordinal))))
}

function haveAnyForm(forms: WordOccurrences[][]): Ordinals {
  const [first = [], ...others] = forms
  if (others.length === 0) return haveAllParts(first)
  return new Set(forms.flatMap((parts) => [...haveAllParts(parts).keys()]))
}

function haveAllParts([first = new Map(), ...others]: WordOccurrences[]): Ordinals {
  if (others.length === 0) return first
  return new Set([...first.keys()].filter((ordinal) => others.every((part) => part.has(ordinal))))
}

function keyOf(word: string, isPrefix: boolean): string {
  return `${isPrefix ? '*' : ' '}${word}`
}

function forEachPart(term: SearchTerm, use: (word: string, isPrefix: boolean) => void): void {
  mapParts(term, use)
}

function mapParts<Result>({ words }: SearchTerm, use: (word: string, isPrefix: boolean) => Result): Result[][][] {
  return words.map(({ forms, isPrefix }) =>
    forms.map((form) => form.map((part, index) => use(part, isPrefix && index === form.length - 1))),
  )
}
