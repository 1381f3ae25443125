import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { languageName } from '../../shared/recordings/languages.ts'
import { describeDates } from '../library/describe-recording.ts'
import type { SearchFilter } from './search-address.ts'

/** One condition of a search, and the filter without it. */
export interface SearchCondition {
  name: string
  value: string
  without: SearchFilter
}

/** Lists the conditions of a filter. */
export function listConditions(filter: SearchFilter): SearchCondition[] {
  const { speaker, language, category, from, to, ...none } = filter
  const conditions: SearchCondition[] = []
  if (speaker) conditions.push({ name: t('Speaker'), value: speaker, without: { ...filter, speaker: undefined } })
  if (language)
    conditions.push({ name: t('Language'), value: languageName(language), without: { ...filter, language: undefined } })
  if (category) {
    const value = keywordCategoryNames[category].name
    conditions.push({ name: t('Hits'), value, without: { ...filter, category: undefined } })
  }
  if (from ?? to) {
    const without = { ...none, speaker, language, category }
    conditions.push({ name: t('Date'), value: describeDates({ from, to }), without })
  }
  return conditions
}

/** `1 call` or `1,204 calls`. */
export function countCalls(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'call' : 'calls'}`
}

/** `1 match` or `12 matches`. */
export function countMatches(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'match' : 'matches'}`
}
