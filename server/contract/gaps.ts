import { bleedCode } from './warning-notes.ts'
import type { Segment, TranscriptionResult, TranscriptionWarning } from './transcription.ts'

/** A passage is a gap if text covers less than this share of it. */
const coveredShare = 0.5

/** Warnings about passages that have text with pauses in it, about text without a passage, and about text on the other channel. */
const codesWithoutGaps: ReadonlySet<string> = new Set(['language_changes', 'impossible_text', bleedCode])

/** A passage in which speech was detected but not understood. */
export interface Gap {
  start: number
  end: number
  channel: number | undefined
  /** A sentence that says why. */
  message: string
}

/** Returns the passages without text named by warnings, in order of time. */
export function listGaps({ segments, warnings }: Pick<TranscriptionResult, 'segments' | 'warnings'>): Gap[] {
  return warnings.flatMap((warning) => toGap(warning, segments) ?? []).toSorted((a, b) => a.start - b.start)
}

function toGap({ code, start, end, channel, message }: TranscriptionWarning, segments: Segment[]): Gap | undefined {
  if (codesWithoutGaps.has(code) || start === undefined || end === undefined || end <= start) return undefined
  const covered = segments
    .filter((segment) => channel === undefined || segment.channel === channel)
    .reduce((sum, segment) => sum + Math.max(0, Math.min(end, segment.end) - Math.max(start, segment.start)), 0)
  return covered < (end - start) * coveredShare ? { start, end, channel, message } : undefined
}
