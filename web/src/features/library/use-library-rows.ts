import { queryOptions, useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { library } from '#contract/endpoints/library.ts'
import type { LibraryRecording } from '#contract/library.ts'
import { call } from '../../shared/api/client.ts'
import type { LibraryListQuery } from './use-library-view.ts'

/** Enough for a screen; a list of ten thousand has two hundred such pages. */
const rowsPerPage = 50
/** Pages of a selected range are refetched only if older than this. */
const rangeStaleMs = 30_000

/** A span of pages of the list, counted from 1. */
export interface PageSpan {
  first: number
  last: number
}

/** Returns the page of a row. */
export function pageOf(index: number): number {
  return Math.floor(index / rowsPerPage) + 1
}

/** Returns the rows of the pages in view, loaded page by page. While a new query loads, the rows of the previous one stay. */
export function useLibraryRows(query: LibraryListQuery, { first, last }: PageSpan) {
  const client = useQueryClient()
  const pages = Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
  const results = useQueries({ queries: pages.map((page) => pageOptions(query, page)) })
  const loaded = results.find(({ data }) => data)?.data
  const [settled, setSettled] = useState<{ query: LibraryListQuery; total: number }>()
  if (loaded && (settled?.query !== query || settled.total !== loaded.total)) setSettled({ query, total: loaded.total })
  const shownQuery = loaded ? query : settled?.query

  /** A cache, since rows are read on every scrolled frame. */
  const readPages = new Map<number, LibraryRecording[] | undefined>()

  function readPage(page: number): LibraryRecording[] | undefined {
    if (!shownQuery) return undefined
    if (!readPages.has(page)) {
      readPages.set(page, client.getQueryData(pageOptions(shownQuery, page).queryKey)?.recordings)
    }
    return readPages.get(page)
  }

  function rowAt(index: number): LibraryRecording | undefined {
    const page = pageOf(index)
    return readPage(page)?.[index - (page - 1) * rowsPerPage]
  }

  /** Returns the ids of all rows from one index to another, both included. Throws ApiError. */
  async function loadIds(from: number, to: number): Promise<string[]> {
    const spanned = Array.from({ length: pageOf(to) - pageOf(from) + 1 }, (_, offset) => pageOf(from) + offset)
    const lists = await Promise.all(
      spanned.map((page) => client.fetchQuery({ ...pageOptions(query, page), staleTime: rangeStaleMs })),
    )
    const start = (pageOf(from) - 1) * rowsPerPage
    return lists.flatMap(({ recordings }) => recordings.map(({ id }) => id)).slice(from - start, to - start + 1)
  }

  return {
    total: loaded?.total ?? settled?.total ?? 0,
    rowAt,
    loadIds,
    isPending: !loaded && !settled,
    /** Whether the rows shown are those of an earlier query. */
    isStale: !loaded && settled !== undefined,
    isError: !loaded && results.some(({ isError }) => isError),
    retry: () => Promise.all(results.map(({ refetch }) => refetch())),
  }
}

export type LibraryRows = ReturnType<typeof useLibraryRows>

function pageOptions(query: LibraryListQuery, page: number) {
  return queryOptions({
    queryKey: ['recordings', 'library', query, page],
    queryFn: ({ signal }) => call(library.list, { query: { ...query, page, per_page: rowsPerPage }, signal }),
  })
}
