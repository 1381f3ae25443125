import { Button, Group, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState } from 'react'
import { keywordCategories } from '#contract/keywords/keywords.ts'
import { type LibraryFilter, recordingStates } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { CategoryIcon } from '../../shared/keywords/category.tsx'
import { languageName } from '../../shared/recordings/languages.ts'
import { DateFilter } from './date-filter.tsx'
import { categoryNames, listConditions, stateNames } from './describe-recording.ts'
import classes from './filter-bar.module.css'
import { FilterMenu } from './filter-menu.tsx'
import { SavedFilters } from './saved-filters.tsx'
import { SortMenu } from './sort-menu.tsx'
import { StateIcon } from './state-cell.tsx'
import { useCaseNames, useFacets } from './use-library-lists.ts'
import type { LibraryViewState } from './use-library-view.ts'

const ranges = [
  { value: 'seconds', label: t('Up to a minute'), min: undefined, max: 60 },
  { value: 'short', label: t('1 to 10 minutes'), min: 60, max: 600 },
  { value: 'medium', label: t('10 to 30 minutes'), min: 600, max: 1800 },
  { value: 'long', label: t('30 minutes to an hour'), min: 1800, max: 3600 },
  { value: 'hours', label: t('An hour or longer'), min: 3600, max: undefined },
] as const

type DurationValue = (typeof ranges)[number]['value']

/** Durations to filter by. */
const durationOptions = ranges.map(({ value, label }) => ({ value, label }))

/** Returns which duration option a filter has; none for a range that only the address can express. */
function durationValue({ min_duration: min, max_duration: max }: LibraryFilter): DurationValue[] {
  const range =
    min === undefined && max === undefined ? undefined : ranges.find((each) => each.min === min && each.max === max)
  return range ? [range.value] : []
}

/** Returns a filter with another duration. */
function withDuration(filter: LibraryFilter, value: DurationValue | undefined): LibraryFilter {
  const range = ranges.find((each) => each.value === value)
  return { ...filter, min_duration: range?.min, max_duration: range?.max }
}

const typingMs = 250

/** Narrows the library down by name and conditions. */
export function FilterBar({ view }: { view: LibraryViewState }) {
  const [isOpen, setIsOpen] = useState(false)
  const conditionCount = listConditions(view.filter, () => '').length
  return (
    <Group gap="xs" py="xs" px="md" role="search" aria-label={t('Recordings')}>
      <NameField view={view} />
      <Button
        className={classes.toggle}
        variant="default"
        size="compact-sm"
        h={36}
        aria-expanded={isOpen}
        leftSection={<IconFilter size={16} stroke={1.5} aria-hidden />}
        onClick={() => setIsOpen(!isOpen)}
      >
        {conditionCount > 0 ? t('Filters ({count, number})', { count: conditionCount }) : t('Filters')}
      </Button>
      <div className={classes.menus} data-open={isOpen || undefined}>
        <FilterMenus view={view} />
        <SortMenu view={view} />
        <SavedFilters view={view} />
      </div>
    </Group>
  )
}

/** Searches when typing pauses. */
function NameField({ view: { filter, setFilter } }: { view: LibraryViewState }) {
  /** Text that has been typed but not searched for yet. */
  const [draft, setDraft] = useState<string>()
  const commit = useDebouncedCallback((search: string) => {
    setFilter({ ...filter, search }, { isReplacing: true })
    setDraft(undefined)
  }, typingMs)
  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label={t('Search recordings')}
      placeholder={t('Search by name')}
      leftSection={<IconSearch size={16} stroke={1.5} />}
      value={draft ?? filter.search}
      onChange={(event) => {
        setDraft(event.currentTarget.value)
        commit(event.currentTarget.value)
      }}
    />
  )
}

function FilterMenus({ view: { filter, setFilter } }: { view: LibraryViewState }) {
  const facets = useFacets()
  const cases = useCaseNames()
  const countOf = (state: string) => facets?.states.find((each) => each.state === state)?.count ?? 0
  return (
    <>
      <FilterMenu
        label={t('State')}
        options={recordingStates.map((value) => ({
          value,
          label: stateNames[value],
          icon: <StateIcon state={value} />,
          count: countOf(value),
        }))}
        selected={filter.states}
        onChange={(states) => setFilter({ ...filter, states })}
        emptyText=""
      />
      <FilterMenu
        label={t('Language')}
        options={(facets?.languages ?? []).map(({ language, count }) => ({
          value: language,
          label: languageName(language),
          count,
        }))}
        selected={filter.languages}
        onChange={(languages) => setFilter({ ...filter, languages })}
        emptyText={t('Languages appear here once recordings are transcribed.')}
      />
      <FilterMenu
        label={t('Hits')}
        options={keywordCategories.map((value) => ({
          value,
          label: categoryNames[value],
          icon: <CategoryIcon category={value} size={16} />,
          count: facets?.categories.find(({ category }) => category === value)?.count ?? 0,
        }))}
        selected={filter.categories}
        onChange={(categories) => setFilter({ ...filter, categories })}
        emptyText=""
      />
      <FilterMenu
        label={t('Tags')}
        options={(facets?.tags ?? []).map(({ tag, count }) => ({ value: tag, label: tag, count }))}
        selected={filter.tags}
        onChange={(tags) => setFilter({ ...filter, tags })}
        emptyText={t('Select recordings and choose Tags to give them some.')}
      />
      {cases.length > 0 && (
        <FilterMenu
          label={t('Case')}
          isSingle
          options={cases.map(({ id, name }) => ({ value: id, label: name }))}
          selected={filter.case ? [filter.case] : []}
          onChange={([chosen]) => setFilter({ ...filter, case: chosen })}
          emptyText=""
        />
      )}
      <DateFilter filter={filter} onChange={setFilter} />
      <FilterMenu
        label={t('Duration')}
        isSingle
        options={durationOptions}
        selected={durationValue(filter)}
        onChange={([value]) => setFilter(withDuration(filter, value))}
        emptyText=""
      />
    </>
  )
}
