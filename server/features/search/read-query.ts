import type { SearchQuery, SearchTerm } from '#contract/search-query.ts'
import { languageWord, speakerWord } from '#data/search/build-segment.ts'
import type { IndexReader, WantedWord, WordOccurrences } from '#data/search/index-reader.ts'

/** A term with where its words occur: by word, by form of the word, by part of the form. */
export interface ReadTerm {
  term: SearchTerm
  occurrences: WordOccurrences[][][]
}

/** A query with all that the index says about it. */
export interface ReadQuery {
  terms: ReadTerm[]
  excluded: ReadTerm[]
  /** Lines must have all of these. */
  facets: WordOccurrences[]
}

export interface LineFilter {
  speaker?: string | undefined
  language?: string | undefined
}

/** Reads the words of a query from an owner's index, each once. */
export async function readQuery(
  reader: IndexReader,
  ownerId: string,
  { query, filter, maxBytes }: { query: SearchQuery; filter: LineFilter; maxBytes: number },
): Promise<ReadQuery> {
  const facetWords = [
    ...(filter.speaker ? [speakerWord(filter.speaker)] : []),
    ...(filter.language ? [languageWord(filter.language)] : []),
  ]
  const all = [...query.terms, ...query.excluded]
  const wanted = new Map<string, WantedWord>()
  for (const word of facetWords) wanted.set(keyOf(word, false), { word, isPrefix: false })
  for (const term of all) {
    forEachPart(term, (word, isPrefix) => void wanted.set(keyOf(word, isPrefix), { word, isPrefix }))
  }
  const read = await reader.readWords(ownerId, [...wanted.values()], { maxBytes })
  const byKey = new Map([...wanted.keys()].map((key, index) => [key, read[index] ?? new Map()]))
  const find = (word: string, isPrefix: boolean): WordOccurrences => byKey.get(keyOf(word, isPrefix)) ?? new Map()
  const withOccurrences = (term: SearchTerm): ReadTerm => ({ term, occurrences: mapParts(term, find) })
  return {
    terms: query.terms.map(withOccurrences),
    excluded: query.excluded.map(withOccurrences),
    facets: facetWords.map((word) => find(word, false)),
  }
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
