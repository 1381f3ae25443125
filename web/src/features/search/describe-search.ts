import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { languageName } from '../../shared/recordings/languages.ts'
import { describeDates } from '../library/describe-recording.ts'
import type { SearchFilter } from './search-address.ts'

/** A condition of a search, and the filter without it. */
export interface SearchCondition {
  field: 'speaker' | 'language' | 'category' | 'date'
  name: string
  value: string
  without: SearchFilter
}

/** Lists the conditions of a filter. */
export function listConditions(filter: SearchFilter): SearchCondition[] {
  const { speaker, language, category, from, to, ...none } = filter
  const conditions: SearchCondition[] = []
  if (speaker) {
    const without = { ...filter, speaker: undefined }
    conditions.push({ field: 'speaker', name: t('Speaker'), value: speaker, without })
  }
  if (language) {
    const without = { ...filter, language: undefined }
    conditions.push({ field: 'language', name: t('Language'), value: languageName(language), without })
  }
  if (category) {
    const value = keywordCategoryNames[category].name
    conditions.push({ field: 'category', name: t('Hits'), value, without: { ...filter, category: undefined } })
  }
  if (from ?? to) {
    const without = { ...none, speaker, language, category }
    conditions.push({ field: 'date', name: t('Date'), value: describeDates({ from, to }), without })
  }
  return conditions
}
