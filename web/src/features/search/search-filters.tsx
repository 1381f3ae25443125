import { Group, SegmentedControl, Switch } from '@mantine/core'
import type { FoundCall } from '#contract/endpoints/search.ts'
import { keywordCategories, keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { CategoryIcon } from '../../shared/keywords/category.tsx'
import { languageName } from '../../shared/recordings/languages.ts'
import { displayLocale } from '../../shared/texts/locale.ts'
import { DateFilter } from '../library/date-filter.tsx'
import { FilterMenu } from '../library/filter-menu.tsx'
import { useFacets } from '../library/use-library-lists.ts'
import { SpeakerFilter } from './speaker-filter.tsx'
import type { SearchViewState } from './use-search-view.ts'

const sorts = [
  { value: 'newest', label: t('Newest') },
  { value: 'best', label: t('Best match') },
] as const

/** Restricts and orders what is found; what the results contain is offered to choose from. */
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

/** Returns the languages of the user's calls and of the results, by name. */
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
