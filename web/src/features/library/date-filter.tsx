import { Button, Group, Popover, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { LibraryFilter } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import classes from './filter-bar.module.css'
import { FilterButton } from './filter-menu.tsx'
import { endOfDay, fromDay, startOfDay, startOfDaysAgo, toDay, toLastDay } from './filter-days.ts'

type DateRange = Pick<LibraryFilter, 'from' | 'to'>

interface DateFilterProps<Filter extends DateRange> {
  filter: Filter
  onChange: (filter: Filter) => void
}

const presets = [
  { label: t('Today'), days: 0 },
  { label: t('Last 7 days'), days: 6 },
  { label: t('Last 30 days'), days: 29 },
]

/** Filters by when recordings were added, in days of the reader's time zone. */
export function DateFilter<Filter extends DateRange>({ filter, onChange }: DateFilterProps<Filter>) {
  const [isOpen, setIsOpen] = useState(false)
  const isSet = filter.from !== undefined || filter.to !== undefined
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <FilterButton
          label={t('Date')}
          count={isSet ? 1 : 0}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown className={classes.dates} aria-label={t('Date')}>
        <Group gap={6} align="stretch">
          {presets.map(({ label, days }) => (
            <Button
              key={days}
              variant="default"
              size="compact-sm"
              h={28}
              onClick={() => {
                onChange({ ...filter, from: startOfDaysAgo(days), to: undefined })
                setIsOpen(false)
              }}
            >
              {label}
            </Button>
          ))}
        </Group>
        <TextInput
          type="date"
          size="sm"
          label={t('From')}
          value={filter.from ? toDay(filter.from) : ''}
          onChange={(event) => onChange({ ...filter, from: fromDay(event.currentTarget.value, startOfDay) })}
        />
        <TextInput
          type="date"
          size="sm"
          label={t('To')}
          value={filter.to ? toLastDay(filter.to) : ''}
          onChange={(event) => onChange({ ...filter, to: fromDay(event.currentTarget.value, endOfDay) })}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
