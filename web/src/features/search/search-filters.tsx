import { Group, SegmentedControl, Switch, Button, Popover, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { FoundCall } from '#contract/endpoints/search.ts'
import { keywordCategories, keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { translateSpeaker } from '#contract/speaker-display.ts'
import { CategoryIcon } from '../../shared/keywords/category.tsx'
import { languageName } from '../../shared/recordings/languages.ts'
import { displayLocale } from '../../shared/texts/locale.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { DateFilter } from '../library/date-filter.tsx'
import { FilterMenu, FilterButton } from '../library/filter-menu.tsx'
import { useFacets } from '../library/use-library-lists.ts'
import type { SearchViewState } from './use-search-view.ts'
import classes from './search-filters.module.css'

const sorts = [
  { value: 'newest', label: t('Newest') },
  { value: 'best', label: t('Best match') },
] as const

const maxOffered = 8

interface SpeakerFilterProps {
  speaker: string | undefined
  /** Speakers in the results. */
  offered: string[]
  onChange: (speaker: string | undefined) => void
}

/** Filters and sorts the results; the choices offered come from the results. */
export function SearchFilters({ view, calls }: { view: SearchViewState; calls: FoundCall[] }) {
  const { filter, setFilter, sort, setSort, spelling, setSpelling } = view
  const lines = calls.flatMap((found) => found.lines)
  const languages = useLanguageOptions([filter.language, ...lines.map(({ language }) => language)])
  return (
    <Group gap={2} role="group" aria-label={t('Filters')}>
      <SpeakerFilter
        speaker={filter.speaker}
        offered={listDistinct(lines.map(({ speaker }) => speaker))}
        onChange={(speaker) => setFilter({ ...filter, speaker })}
      />
      <FilterMenu
        label={t('Language')}
        isSingle
        options={languages}
        selected={filter.language ? [filter.language] : []}
        onChange={([language]) => setFilter({ ...filter, language })}
        emptyText={t('Languages appear here once recordings are transcribed.')}
      />
      <FilterMenu
        label={t('Hits')}
        isSingle
        options={keywordCategories.map((value) => ({
          value,
          label: keywordCategoryNames[value].name,
          icon: <CategoryIcon category={value} size={16} />,
        }))}
        selected={filter.category ? [filter.category] : []}
        onChange={([category]) => setFilter({ ...filter, category })}
        emptyText=""
      />
      <DateFilter filter={filter} onChange={setFilter} />
      <Switch
        mx="xs"
        size="xs"
        label={t('Other spellings of names')}
        checked={spelling === 'any'}
        onChange={({ currentTarget }) => setSpelling(currentTarget.checked ? 'any' : 'exact')}
      />
      <SegmentedControl
        ms="auto"
        size="xs"
        aria-label={t('Order')}
        data={[...sorts]}
        value={sort}
        onChange={(value) => setSort(value === 'best' ? 'best' : 'newest')}
      />
    </Group>
  )
}

/** Returns the languages of the user's calls and of the results, sorted by name. */
function useLanguageOptions(others: (string | null | undefined)[]) {
  const facets = useFacets()
  const codes = listDistinct([...(facets?.languages ?? []).map(({ language }) => language), ...others])
  return codes
    .map((value) => ({ value, label: languageName(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, displayLocale()))
}

function listDistinct(values: (string | null | undefined)[]): string[] {
  return [...new Set(values.flatMap((value) => value || []))]
}

/** Restricts lines to those of one speaker, chosen from the results or typed. */
function SpeakerFilter({ speaker, offered, onChange }: SpeakerFilterProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [name, setName] = useState('')

  function choose(chosen: string) {
    onChange(chosen.trim() || undefined)
    setIsOpen(false)
    setName('')
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    choose(name)
  }

  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <FilterButton
          label={t('Speaker')}
          count={speaker ? 1 : 0}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Speaker')} className={classes.dropdown}>
        <form onSubmit={onSubmit} className={classes.form}>
          <TextInput
            size="sm"
            label={t('Name')}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" size="sm" variant="default" disabled={name.trim() === ''}>
            {t('Apply')}
          </Button>
        </form>
        {offered.length > 0 && (
          <Group role="group" aria-label={t('Speakers of these results')} gap={6} align="stretch">
            {offered.slice(0, maxOffered).map((each) => (
              <Button key={each} variant="default" size="compact-sm" h={28} onClick={() => choose(each)}>
                <Isolated>{translateSpeaker(each)}</Isolated>
              </Button>
            ))}
          </Group>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
