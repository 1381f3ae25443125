import type { DiarizationResult } from './entities/job.ts'
import type { Segment } from './transcription.ts'

/** Returns lines as a dialogue: who said what, and when. */
export function dialogueTimeline(
  segments: Pick<Segment, 'speaker' | 'start' | 'text'>[],
): DiarizationResult['dialogue_timeline'] {
  return segments.map(({ speaker, start, text }) => ({ speaker: speaker ?? 'Speaker A', timestamp: start, text }))
}
