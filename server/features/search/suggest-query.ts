import { editDistance } from '#contract/edit-distance.ts'
import type { SearchQuery, SearchTerm } from '#contract/search-query.ts'
import type { OpenIndex } from '#data/search/index-reader.ts'

/** Beginnings are rarely misspelt, and comparing with every word of a language would be too much. */
const sharedLetters = 2
const minLetters = 4
/** Words of at least this many letters may differ in two. */
const minLettersForTwo = 8
const maxIndexBytes = 4 * 1024 * 1024

/** Returns a query with the closest words of the index replacing those that it does not contain; null if there are none. */
export async function suggestQuery(index: OpenIndex, query: SearchQuery): Promise<string | null> {
  const replacements = new Map<string, string>()
  for (const word of new Set(query.terms.flatMap(plainWords))) {
    const closest = await findClosest(index, word)
    if (closest === null) return null
    if (closest !== word) replacements.set(word, closest)
  }
  if (replacements.size === 0) return null
  return [
    ...query.terms.map((term) => writeTerm(term, replacements)),
    ...query.excluded.map((term) => `-${writeTerm(term, new Map())}`),
  ].join(' ')
}

/** Returns the words of a term that may be misspelt: no prefixes, and no words with several forms. */
function plainWords({ words }: SearchTerm): string[] {
  return words.flatMap(({ forms, isPrefix }) => (isPrefix || forms.length > 1 ? [] : (forms[0] ?? [])))
}

/** Returns the word itself if the index has it, otherwise the most frequent of the closest words; null if there is none. */
async function findClosest(index: OpenIndex, word: string): Promise<string | null> {
  const words = await index.listWords(word.slice(0, sharedLetters), { maxBytes: maxIndexBytes })
  if (words.has(word)) return word
  if (word.length < minLetters) return null
  const limit = word.length < minLettersForTwo ? 1 : 2
  const close = [...words]
    .map(([other, bytes]) => ({ other, bytes, distance: editDistance(word, other, limit) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance || b.bytes - a.bytes)
  return close[0]?.other ?? null
}

function writeTerm({ text, words }: SearchTerm, replacements: ReadonlyMap<string, string>): string {
  const isReplaced = words.some(({ forms }) => replacements.has(forms[0]?.[0] ?? ''))
  const written = isReplaced
    ? words.map(({ forms }) => replacements.get(forms[0]?.[0] ?? '') ?? forms[0]?.[0] ?? '').join(' ')
    : text
  const asterisk = words.at(-1)?.isPrefix ? '*' : ''
  return words.length > 1 ? `"${written}${asterisk}"` : `${written}${asterisk}`
}
