import type { z } from 'zod'
import { search } from '#contract/endpoints/search.ts'

const { q, sort, spelling, speaker, language, category, from, to } = search.find.query.shape
const filterFields = { speaker, language, category, from, to }
type FilterField = keyof typeof filterFields
const fieldNames = Object.keys(filterFields) as FilterField[] // a constant object has no other keys

/** Which lines are searched; a missing field sets no condition. */
export type SearchFilter = { [Field in FilterField]?: z.output<(typeof filterFields)[Field]> }
export type SearchSort = z.output<typeof sort>
/** Whether names are found only as typed, or in other spellings too. */
export type SearchSpelling = z.output<typeof spelling>

/** A search as given by the address. */
export interface SearchView {
  /** Empty until something is typed. */
  q: string
  sort: SearchSort
  spelling: SearchSpelling
  filter: SearchFilter
}

/** Returns the search that an address describes; invalid parameters are ignored. */
export function readSearchView(params: URLSearchParams): SearchView {
  const raw = (name: string) => params.get(name) ?? undefined
  const filter = Object.fromEntries(
    fieldNames.flatMap((name) => {
      const value = filterFields[name].safeParse(raw(name)).data
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return {
    q: q.safeParse(raw('q')).data ?? '',
    sort: sort.safeParse(raw('sort')).data ?? 'newest',
    spelling: raw('spelling') === 'exact' ? 'exact' : 'any',
    filter,
  }
}

/** Returns the address of a search, without default values. */
export function writeSearchView({ q: text, sort: order, spelling: names, filter }: SearchView): URLSearchParams {
  const params = new URLSearchParams()
  if (text.trim()) params.set('q', text.trim())
  for (const name of fieldNames) {
    const value = filter[name]
    if (value) params.set(name, value)
  }
  if (order !== 'newest') params.set('sort', order)
  if (names === 'exact') params.set('spelling', names)
  return params
}
