import { Button, Group, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { FilterChip } from '../../shared/ui/filter-chip.tsx'
import { listConditions } from './describe-recording.ts'
import { noFilter } from './library-address.ts'
import { useCaseNames } from './use-library-lists.ts'
import type { LibraryViewState } from './use-library-view.ts'
import common from '../../shared/ui/common.module.css'

/** The active conditions, each with a button to remove it. */
export function FilterChips({ view: { filter, setFilter }, total }: { view: LibraryViewState; total: number }) {
  const cases = useCaseNames()
  const conditions = listConditions(filter, (id) => cases.find((each) => each.id === id)?.name ?? t('of this address'))
  if (conditions.length === 0 && filter.search === '') return null
  return (
    <Group gap={6} p="0 1rem 0.625rem" role="group" aria-label={t('Active filters')}>
      <Text span inherit me={6} c="dimmed" fz="sm" className={common.figures} aria-live="polite">
        {t('{total, number} found', { total })}
      </Text>
      {conditions.map(({ key, name, value, without }) => (
        <FilterChip key={key} label={name} value={value} onRemove={() => setFilter(without)} />
      ))}
      <Button variant="subtle" size="compact-sm" h={28} onClick={() => setFilter(noFilter)}>
        {t('Clear filters')}
      </Button>
    </Group>
  )
}
