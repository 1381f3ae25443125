import { isUncertainLine as isUncertain } from '#contract/review-state.ts'
import type { Gap } from '#contract/gaps.ts'
import type { KeywordHit } from '#contract/keywords/find-keywords.ts'
import type { EditableSegment } from '#contract/line-edits.ts'
import type { MatchedMarks } from '#contract/match-marks.ts'
import type { TranslatedSegment } from '#contract/translation.ts'

/** A row of the conversation. */
export interface ConversationLine {
  /** Unique in the list, and stable as long as the line's origin and start do not change. */
  id: string
  start: number
  end: number
  /** The line with its edited text and corrected speaker; null for a gap. */
  segment: EditableSegment | null
  /** A passage in which speech was not understood, in place of a segment. */
  gap: Gap | null
  /** The language spoken in the line; null if unknown. */
  language: string | null
  translated: TranslatedSegment | null
  /** Whether the translation is of a text that the line no longer has, or of another version. */
  isTranslationStale: boolean
  /** People's marks on its words. */
  marks: MatchedMarks
  hits: { original: KeywordHit[]; translation: KeywordHit[] }
  /** Whether this is a line of a running transcription, which has no words or edits. */
  isPartial: boolean
}

/** Returns whether a line should be checked. Nothing is less certain than a gap. */
export function isUncertainLine({ segment, marks }: ConversationLine): boolean {
  return segment === null || isUncertain(segment, marks)
}
