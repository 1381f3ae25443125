import { type RefObject, useEffect, useRef } from 'react'
import { Skeleton, Stack } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import type { AlsoSpelled as SpelledName } from '#contract/endpoints/search.ts'
import { Page } from '../../shared/ui/page.tsx'
import { latinKey } from '../../shared/latin-key.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ErrorNotice } from '../../shared/ui/notice.tsx'
import common from '../../shared/ui/common.module.css'
import { useRecentSearches, type RecentSearchesState } from './recent-searches.ts'
import { SearchChips } from './search-chips.tsx'
import { SearchField } from './search-field.tsx'
import { SearchFilters } from './search-filters.tsx'
import classes from './search-page.module.css'
import { focusFirstResult } from './use-result-keys.ts'
import { useSearch, type SearchState } from './use-search.ts'
import { useSearchView, type SearchViewState } from './use-search-view.ts'
import { FoundCalls } from './found-calls.tsx'
import { NothingFound, QueryProblem } from './nothing-found.tsx'
import { SearchStart } from './search-start.tsx'

/** Where keys belong to the focused element: fields, and layers above the page. */
const keyOwners = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]'

interface SearchContentProps {
  view: SearchViewState
  search: SearchState
  recent: RecentSearchesState
  listRef: RefObject<HTMLOListElement | null>
  onEscape: () => void
}

const callCount = 3
const lineCount = 3

/** Lets the slash key focus the field from anywhere on the page. */
function useFieldKey(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (latinKey(event) !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof HTMLElement && event.target.closest(keyOwners)) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [field])
}

/** Finds lines in all the user's calls: in transcripts, translations and notes, and in names. */
export function SearchPage() {
  const view = useSearchView()
  const search = useSearch(view)
  const recent = useRecentSearches()
  const field = useRef<HTMLInputElement>(null)
  const results = useRef<HTMLOListElement>(null)
  useFieldKey(field)

  return (
    <Page title={t('Search')} width="medium">
      <search className={classes.bar}>
        <SearchField
          ref={field}
          view={view}
          onSubmit={(q) => {
            recent.remember(q)
            view.submit(q)
          }}
          onLeave={() => focusFirstResult(results.current)}
        />
        {view.q !== '' && <SearchFilters view={view} calls={search.calls} />}
      </search>
      <SearchChips view={view} />
      <SearchContent
        view={view}
        search={search}
        recent={recent}
        listRef={results}
        onEscape={() => field.current?.focus()}
      />
    </Page>
  )
}

/** The results in each of their states, and how many there are. */
function SearchContent(props: SearchContentProps) {
  const { view, search } = props
  const isShown = view.q !== '' && search.problem === null && search.isLoaded && search.error === null
  return (
    <>
      {/* Always there: screen readers announce only what changes. */}
      <p className={classes.count} data-empty={search.total === 0 || undefined} aria-live="polite">
        {isShown &&
          rich('{total, plural, =0 {No calls} one {# call} other {# calls}} with “{query}”', {
            total: search.total,
            query: <Isolated>{view.q}</Isolated>,
          })}
      </p>
      {isShown && <AlsoSpelled names={search.alsoSpelled} />}
      <Results {...props} />
    </>
  )
}

function Results({ view, search, recent, listRef, onEscape }: SearchContentProps) {
  if (view.q === '') return <SearchStart recent={recent} />
  const problem = search.problem ?? problemOf(search.error)
  if (problem !== null) return <QueryProblem problem={problem} />
  if (search.error) return <ErrorNotice message={t('The search could not be finished.')} onRetry={search.retry} />
  if (!search.isLoaded) return <SearchSkeleton />
  if (search.calls.length === 0) return <NothingFound view={view} suggestion={search.suggestion} />
  return (
    <FoundCalls
      view={view}
      search={search}
      listRef={listRef}
      onOpen={() => recent.remember(view.q)}
      onEscape={onEscape}
    />
  )
}

/** Returns what the server says is wrong with the query; null if something else failed. */
function problemOf(error: Error | null): string | null {
  return error instanceof ApiError && error.code === 'invalid_input' ? (error.details[0] ?? error.message) : null
}

/** The other spellings in which names of the query were found. */
function AlsoSpelled({ names }: { names: SpelledName[] }) {
  if (names.length === 0) return null
  return (
    <dl className={classes.names} aria-label={t('Also spelled')}>
      {names.map(({ name, spellings }) => (
        <div key={name}>
          <dt>{rich('{name} also spelled', { name: <Isolated>{name}</Isolated> })}</dt>
          {spellings.map((spelling) => (
            <dd key={spelling}>
              <Isolated>{spelling}</Isolated>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}

/** A placeholder for results while the first ones are loading. */
function SearchSkeleton() {
  return (
    <Stack role="status" aria-label={t('Searching')}>
      {Array.from({ length: callCount }, (_, call) => (
        <Stack key={call} py="md" px={20} className={common.surface}>
          <Skeleton height={14} width="32%" />
          {Array.from({ length: lineCount }, (__, line) => (
            <Skeleton key={line} height={12} width={`${88 - line * 16}%`} />
          ))}
        </Stack>
      ))}
    </Stack>
  )
}
