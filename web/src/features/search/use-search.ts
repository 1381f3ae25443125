import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { search, type FoundCall } from '#contract/endpoints/search.ts'
import { parseSearchQuery } from '#contract/search-query.ts'
import { call } from '../../shared/api/client.ts'
import type { SearchView } from './search-address.ts'

type SearchRequest = Pick<SearchView, 'q' | 'sort' | 'spelling' | 'filter'>

/** Searches all calls; while a new search is in progress, the previous results stay. */
export function useSearch({ q, sort, spelling, filter }: SearchRequest) {
  const problem = q === '' ? null : parseSearchQuery(q).problem
  const request = { q, sort, spelling, ...filter }
  const { data, error, isPlaceholderData, ...query } = useInfiniteQuery({
    queryKey: ['search', request],
    queryFn: ({ pageParam, signal }) =>
      call(search.find, { query: { ...request, ...(pageParam !== null && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null, // typed, because the first page has no parameter
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
    enabled: q !== '' && problem === null,
  })
  const [first] = data?.pages ?? []
  return {
    calls: listCalls(data?.pages ?? []),
    total: first?.total_calls ?? 0,
    suggestion: first?.suggestion ?? null,
    /** Names of the query, with other spellings that were found. */
    alsoSpelled: first?.also_spelled ?? [],
    isLoaded: first !== undefined,
    /** Whether the calls are those of the previous search. */
    isOutdated: isPlaceholderData,
    /** Why the query cannot be searched for, determined without asking the server. */
    problem,
    error,
    retry: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => query.fetchNextPage(),
  }
}

export type SearchState = ReturnType<typeof useSearch>

/** Returns each call once: a call added between two pages shifts those after it, so that pages may overlap. */
function listCalls(pages: { calls: FoundCall[] }[]): FoundCall[] {
  return [...new Map(pages.flatMap(({ calls }) => calls).map((found) => [found.recording.id, found])).values()]
}

/** Returns all lines of one call, up to the server's limit; undefined until they are wanted and loaded. */
export function useLinesOfCall({ q, sort, spelling, filter }: SearchRequest, recordingId: string, isWanted: boolean) {
  const request = { q, sort, spelling, ...filter, recording: recordingId }
  const { data, isError, isFetching } = useQuery({
    queryKey: ['search', request],
    queryFn: ({ signal }) => call(search.find, { query: request, signal }),
    enabled: isWanted,
  })
  return { lines: isWanted ? data?.calls[0]?.lines : undefined, isError, isLoading: isFetching }
}
