import { keywordCategories, type KeywordCategory } from '#contract/keywords/keywords.ts'
import type { RecordingState } from '#contract/library.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readLibrary } from './read-library.ts'
import { stateOfRank } from './recording-state.ts'

/** Values by which an owner's recordings can be filtered, with the number of recordings each matches, most first. */
export interface Facets {
  total: number
  states: { state: RecordingState; count: number }[]
  languages: { language: string; count: number }[]
  tags: { tag: string; count: number }[]
  categories: { category: KeywordCategory; count: number }[]
}

/** Counts the values by which an owner's recordings can be filtered. */
export async function readFacets(connection: DatabaseConnection, ownerId: string): Promise<Facets> {
  const rows = await readLibrary(connection, ownerId)
  const [states, languages] = [counter<number>(), counter<string>()]
  const [tags, categories] = [counter<string>(), counter<KeywordCategory>()]
  for (const row of rows) {
    states.add(row.state)
    row.languages.forEach(languages.add)
    row.tags.forEach(tags.add)
    for (const category of keywordCategories) if (row.hits[category] > 0) categories.add(category)
  }
  return {
    total: rows.length,
    states: states.list().map(({ key, count }) => ({ state: stateOfRank(key), count })),
    languages: languages.list().map(({ key, count }) => ({ language: key, count })),
    tags: tags.list().map(({ key, count }) => ({ tag: key, count })),
    categories: categories.list().map(({ key, count }) => ({ category: key, count })),
  }
}

function counter<Key>() {
  const counts = new Map<Key, number>()
  return {
    add: (key: Key) => void counts.set(key, (counts.get(key) ?? 0) + 1),
    list: () => [...counts].map(([key, count]) => ({ key, count })).toSorted((a, b) => b.count - a.count),
  }
}
