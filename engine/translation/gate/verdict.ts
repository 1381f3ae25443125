import type { notTranslatedReasons } from '#contract/translation.ts'

export type NotTranslatedReason = (typeof notTranslatedReasons)[number]

/** What the gate says of an answer: the translation, or why it is none. */
export type Verdict = { translation: string } | Refusal

export interface Refusal {
  reason: NotTranslatedReason
  /** More about it, for a person; never words of the answer that could be taken for a translation. */
  detail?: string
}
