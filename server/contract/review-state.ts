import { z } from 'zod'
import { isUncertainSegment } from './doubt.ts'
import type { MatchedMarks } from './match-marks.ts'
import type { Segment } from './transcription.ts'

/** How thoroughly a line has been reviewed; each state goes further than the one before it. */
export const reviewStates = ['new', 'heard', 'corrected', 'verified'] as const
export type ReviewState = (typeof reviewStates)[number]

/** Returns how thoroughly a line has been reviewed. */
export function reviewStateOf({
  isHeard,
  isEdited,
  verified,
}: Pick<MatchedMarks, 'verified'> & { isHeard: boolean; isEdited: boolean }): ReviewState {
  if (verified.length > 0) return 'verified'
  if (isEdited) return 'corrected'
  return isHeard ? 'heard' : 'new'
}

/** Returns whether a line must be checked: as a person last marked it, otherwise whether the model was unsure of it. */
export function isUncertainLine(segment: Pick<Segment, 'confidence' | 'words'>, marks: MatchedMarks): boolean {
  if (isSettled(marks)) return false
  return marks.doubt?.is_uncertain === true || isUncertainSegment(segment)
}

/** Returns whether a person last marked a line as correct, so that the model's confidence no longer matters. */
export function isSettled({ verified, doubt }: MatchedMarks): boolean {
  const lastVerified = verified.at(-1)?.at ?? ''
  return doubt && doubt.at > lastVerified ? !doubt.is_uncertain : verified.length > 0
}

const Share = z.number().min(0).max(1)

/** How much of a recording was reviewed, as shares of its lines: heard by the caller, verified by anyone, and by two or more people. */
export const ReviewProgress = z.object({ heard: Share, verified: Share, verified_twice: Share })
export type ReviewProgress = z.infer<typeof ReviewProgress>

export const noProgress: ReviewProgress = { heard: 0, verified: 0, verified_twice: 0 }
