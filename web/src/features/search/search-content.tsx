import type { RefObject } from 'react'
import { t } from '#contract/texts/t.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ErrorNotice } from '../../shared/ui/notice.tsx'
import { AlsoSpelled } from './also-spelled.tsx'
import { FoundCalls } from './found-calls.tsx'
import { NothingFound, QueryProblem } from './nothing-found.tsx'
import type { RecentSearchesState } from './recent-searches.ts'
import { SearchSkeleton } from './search-skeleton.tsx'
import { SearchStart } from './search-start.tsx'
import classes from './search-content.module.css'
import type { SearchState } from './use-search.ts'
import type { SearchViewState } from './use-search-view.ts'

interface SearchContentProps {
  view: SearchViewState
  search: SearchState
  recent: RecentSearchesState
  listRef: RefObject<HTMLOListElement | null>
  onEscape: () => void
}

/** The results in their states, and how many there are. */
export function SearchContent(props: SearchContentProps) {
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

/** Returns what the server says is wrong with the query; null where something else failed. */
function problemOf(error: Error | null): string | null {
  return error instanceof ApiError && error.code === 'invalid_input' ? (error.details[0] ?? error.message) : null
}
