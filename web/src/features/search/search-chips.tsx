import { Box, Button, Group } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { t } from '#contract/texts/t.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { listConditions } from './describe-search.ts'
import classes from './search-chips.module.css'
import type { SearchViewState } from './use-search-view.ts'

/** The conditions that apply, each with a button that removes it. */
export function SearchChips({ view: { filter, setFilter } }: { view: SearchViewState }) {
  const conditions = listConditions(filter)
  if (conditions.length === 0) return null
  return (
    <Group gap={6} py="0.25rem 0.5rem" role="group" aria-label={t('Active filters')}>
      {conditions.map(({ field, name, value, without }) => (
        <button
          key={field}
          type="button"
          className={classes.chip}
          aria-label={t('Remove filter {name}: {value}', { name, value })}
          onClick={() => setFilter(without)}
        >
          <Box component="span" opacity={0.85}>
            {name}
          </Box>{' '}
          <Isolated>{value}</Isolated>
          <IconX size={14} stroke={1.75} aria-hidden />
        </button>
      ))}
      {conditions.length > 1 && (
        <Button variant="subtle" size="compact-sm" h={28} onClick={() => setFilter({})}>
          {t('Clear filters')}
        </Button>
      )}
    </Group>
  )
}
