import { Button, Group } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { FilterChip } from '../../shared/ui/filter-chip.tsx'
import { listConditions } from './describe-search.ts'
import type { SearchViewState } from './use-search-view.ts'

/** The conditions that apply, each with a button that removes it. */
export function SearchChips({ view: { filter, setFilter } }: { view: SearchViewState }) {
  const conditions = listConditions(filter)
  if (conditions.length === 0) return null
  return (
    <Group gap={6} py="0.25rem 0.5rem" role="group" aria-label={t('Active filters')}>
      {conditions.map(({ field, name, value, without }) => (
        <FilterChip key={field} label={name} value={value} onRemove={() => setFilter(without)} />
      ))}
      {conditions.length > 1 && (
        <Button variant="subtle" size="compact-sm" h={28} onClick={() => setFilter({})}>
          {t('Clear filters')}
        </Button>
      )}
    </Group>
  )
}
