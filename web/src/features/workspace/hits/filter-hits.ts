import { keywordCategories, type KeywordCategory } from '#contract/keywords/keywords.ts'
import { atom } from '../../../shared/jotai.ts'
import type { LineHit } from '../state/line-hits.ts'

export type TextChoice = 'both' | 'transcription' | 'translation'

interface HitFilter {
  texts: TextChoice
  /** Empty for all. */
  categories: KeywordCategory[]
  isUnreviewedOnly: boolean
}

export const everyHit: HitFilter = { texts: 'both', categories: [], isUnreviewedOnly: false }

/** The filter of the Hits panel, and of the next and previous actions. */
export const hitFilterAtom = atom<HitFilter>(everyHit)

/** Returns the hits of the chosen texts. */
export function hitsIn(hits: LineHit[], texts: TextChoice): LineHit[] {
  if (texts === 'both') return hits
  const other = texts === 'transcription' ? 'translation' : 'original'
  return hits.filter(({ isIn }) => isIn !== other)
}

/** Returns the hits that pass a filter. */
export function filterHits(hits: LineHit[], filter: HitFilter, reviewed: ReadonlySet<string>): LineHit[] {
  const { texts, categories, isUnreviewedOnly } = filter
  return hitsIn(hits, texts).filter(
    ({ category, key }) =>
      (categories.length === 0 || categories.includes(category)) && !(isUnreviewedOnly && reviewed.has(key)),
  )
}

/** Counts hits by category. */
export function countByCategory(hits: Pick<LineHit, 'category'>[]): Record<KeywordCategory, number> {
  const counts = { threats: 0, sentiment: 0, intent: 0, custom: 0 }
  for (const { category } of hits) counts[category] += 1
  return counts
}

/** Counts hits by category and in total. */
export function countWithTotal(hits: Pick<LineHit, 'category'>[]) {
  return { ...countByCategory(hits), total: hits.length }
}

/** Returns the chosen categories with one switched on or off, in canonical order. */
export function toggleCategory(chosen: KeywordCategory[], category: KeywordCategory): KeywordCategory[] {
  return keywordCategories.filter((each) => chosen.includes(each) !== (each === category))
}
