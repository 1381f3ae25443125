import { type RefObject, useEffect, useRef } from 'react'
import { t } from '#contract/texts/t.ts'
import { Page } from '../../shared/ui/page.tsx'
import { latinKey } from '../../shared/latin-key.ts'
import { useRecentSearches } from './recent-searches.ts'
import { SearchChips } from './search-chips.tsx'
import { SearchContent } from './search-content.tsx'
import { SearchField } from './search-field.tsx'
import { SearchFilters } from './search-filters.tsx'
import classes from './search-page.module.css'
import { focusFirstResult } from './use-result-keys.ts'
import { useSearch } from './use-search.ts'
import { useSearchView } from './use-search-view.ts'

/** Where keys belong to what is focused: fields, and layers above the page. */
const keyOwners = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]'

/** The slash key focuses the field from anywhere on the page. */
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
