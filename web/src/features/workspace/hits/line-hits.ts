import type { KeywordCategory } from '#contract/keywords/keywords.ts'

/** A keyword found in a line, counted once where the translation has it too. */
export interface LineHit {
  /** See hitKey: identifies it in `reviewed-hits`. */
  key: string
  lineId: string
  category: KeywordCategory
  /** As found in the original, else in the translation. */
  keyword: string
  /** Seconds from the start. */
  time: number
  speaker: string | undefined
  isIn: 'original' | 'translation' | 'both'
  isSimilar: boolean
}
