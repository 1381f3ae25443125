import { useRef } from 'react'
import { t } from '#contract/texts/t.ts'
import { Page } from '../../shared/ui/page.tsx'
import { useRecentSearches } from './recent-searches.ts'
import { SearchChips } from './search-chips.tsx'
import { SearchContent } from './search-content.tsx'
import { SearchField } from './search-field.tsx'
import { SearchFilters } from './search-filters.tsx'
import classes from './search-page.module.css'
import { useFieldKey } from './use-field-key.ts'
import { focusFirstResult } from './use-result-keys.ts'
import { useSearch } from './use-search.ts'
import { useSearchView } from './use-search-view.ts'

/** Finds lines of all the user's calls: of transcripts, translations and notes, and names. */
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
