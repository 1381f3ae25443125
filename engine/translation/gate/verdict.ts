import type { notTranslatedReasons } from '#contract/translation.ts'

export type NotTranslatedReason = (typeof notTranslatedReasons)[number]

/** The translation in a completion, or why the completion is rejected. */
export type Verdict = { translation: string } | Rejection

export interface Rejection {
  reason: NotTranslatedReason
  /** A detail for people; never words from the completion, which could be taken for a translation. */
  detail?: string
}
