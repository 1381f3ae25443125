import { withoutConfidence } from './line-edits.ts'
import type { MarkFinder } from './match-marks.ts'
import { isSettled } from './review-state.ts'
import type { Segment, TranscriptionResult } from './transcription.ts'

/**
 * Returns a transcript whose confidences reflect what people last said about its lines: none for a line that somebody verified or called
 * certain, 0 for a line that somebody doubts.
 */
export function settleDoubt(transcription: TranscriptionResult, { find }: MarkFinder): TranscriptionResult {
  const segments = transcription.segments.map((segment): Segment => {
    const marks = find(segment)
    if (isSettled(marks)) {
      const { words } = segment
      return { ...withoutConfidence(segment), ...(words && { words: words.map(withoutConfidence) }) }
    }
    return marks.doubt?.is_uncertain ? { ...segment, confidence: 0 } : segment
  })
  return { ...transcription, segments }
}
