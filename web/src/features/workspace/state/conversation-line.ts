import { isUncertainLine as isUncertain } from '#contract/review-state.ts'
import type { Gap } from '#contract/gaps.ts'
import type { KeywordHit } from '#contract/keywords/find-keywords.ts'
import type { EditableSegment } from '#contract/line-edits.ts'
import type { MatchedMarks } from '#contract/match-marks.ts'
import type { TranslatedSegment } from '#contract/translation.ts'

/** A row of the conversation. */
export interface ConversationLine {
  /** Unique in the list, and the same while the line's origin and start stay. */
  id: string
  start: number
  end: number
  /** The line with its edited text and corrected speaker; null for a gap. */
  segment: EditableSegment | null
  /** A passage in which speech was not understood, in place of a segment. */
  gap: Gap | null
  /** The language spoken in it; null where unknown. */
  language: string | null
  translated: TranslatedSegment | null
  /** The translation is of another text than the line has now, or of another version. */
  isTranslationStale: boolean
  /** What people said of its words. */
  marks: MatchedMarks
  hits: { original: KeywordHit[]; translation: KeywordHit[] }
  /** A line of a running transcription, without words and edits. */
  isPartial: boolean
}

/** Returns whether a line should be checked. Nothing is less certain than a gap. */
export function isUncertainLine({ segment, marks }: ConversationLine): boolean {
  return segment === null || isUncertain(segment, marks)
}
