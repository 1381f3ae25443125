import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { cases } from '#contract/endpoints/cases.ts'
import { library } from '#contract/endpoints/library.ts'
import type { LibraryFilter, LibraryOrder } from '#contract/library.ts'
import { call } from '../../shared/api/client.ts'

const savedKey = ['library-filters']
/** As many as a menu can show. */
const maxCases = 100

/** Returns the values that can be filtered by, with counts; undefined until loaded. */
export function useFacets() {
  return useQuery({ queryKey: ['recordings', 'facets'], queryFn: () => call(library.facets) }).data
}

/** Returns the user's cases; none until loaded. */
export function useCaseNames(): { id: string; name: string }[] {
  const { data } = useQuery({
    queryKey: ['cases', 'names'],
    queryFn: () => call(cases.list, { query: { per_page: maxCases } }),
  })
  return data?.cases ?? []
}

/** Returns the saved filters, and functions to save and delete them. */
export function useSavedFilters() {
  const client = useQueryClient()
  const { data } = useQuery({ queryKey: savedKey, queryFn: () => call(library.listFilters) })
  const onSuccess = () => client.invalidateQueries({ queryKey: savedKey })
  const save = useMutation({
    mutationFn: (body: { name: string; filter: LibraryFilter } & LibraryOrder) => call(library.saveFilter, { body }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (id: string) => call(library.removeFilter, { params: { id } }),
    onSuccess,
  })
  return { filters: data?.filters ?? [], save, remove }
}
