import { chooseSpellings } from '#contract/name-sounds/choose-spellings.ts'
import { addSpellings, listWantedNames, type WantedName } from '#contract/name-sounds/names-in-query.ts'
import type { NameForm } from '#contract/name-sounds/names-in-text.ts'
import { searchKeys } from '#contract/name-sounds/sound-key.ts'
import type { SearchQuery } from '#contract/search-query.ts'
import type { IndexReader } from '#data/search/index-reader.ts'
import type { SearchableRecordings } from '#data/search/searchable-recordings.ts'

/** A query as it was typed, and with the other spellings of names that there are in lines and in the names of recordings. */
export interface ShownQueries {
  typed: SearchQuery
  inLines: SearchQuery
  inNames: SearchQuery
}

/** A name of the query with its other spellings. */
export interface FoundSpellings {
  name: WantedName
  /** The closest first. */
  inLines: { form: NameForm; ordinals: number[] }[]
  inNames: NameForm[]
}

/** Returns the other spellings of the names of a query that an owner's recordings have; none where none are asked for. */
export async function findSpellings(
  { reader, recordings }: { reader: IndexReader; recordings: SearchableRecordings },
  ownerId: string,
  { query, maxBytes }: { query: SearchQuery; maxBytes: number },
): Promise<FoundSpellings[]> {
  const names = listWantedNames(query)
  const keys = [...new Set(names.flatMap(({ sound }) => searchKeys(sound)))]
  const indexed = await reader.listNames(ownerId, keys, { maxBytes })
  const ordinals = new Map(indexed.map((name) => [name.form, name.ordinals]))
  const inNames = recordings.listNames(ownerId, keys)
  return names.map((name) => ({
    name,
    inLines: chooseSpellings(name, ordinals.keys()).map((form) => ({ form, ordinals: ordinals.get(form) ?? [] })),
    inNames: chooseSpellings(name, inNames),
  }))
}

/** Returns the query with the spellings found. */
export function spellQuery(typed: SearchQuery, found: FoundSpellings[]): ShownQueries {
  if (found.length === 0) return { typed, inLines: typed, inNames: typed }
  const inLines = found.map(({ name, inLines: spelled }) => ({ name, spellings: spelled.map(({ form }) => form) }))
  const inNames = found.map(({ name, inNames: spellings }) => ({ name, spellings }))
  return { typed, inLines: addSpellings(typed, inLines), inNames: addSpellings(typed, inNames) }
}

/** Returns the words that only other spellings have, with the ordinals of the recordings that may have them, in ascending order. */
export function locateSpellings({ terms, excluded }: SearchQuery, found: FoundSpellings[]): Map<string, number[]> {
  const words = new Map<string, Set<number>>()
  for (const { form, ordinals } of found.flatMap(({ inLines }) => inLines)) {
    for (const word of form) words.set(word, new Set([...(words.get(word) ?? []), ...ordinals]))
  }
  const typed = [...terms, ...excluded].flatMap((term) => term.words.flatMap(({ forms }) => forms.flat()))
  for (const word of typed) words.delete(word)
  return new Map([...words].map(([word, ordinals]) => [word, [...ordinals].toSorted((a, b) => a - b)]))
}
