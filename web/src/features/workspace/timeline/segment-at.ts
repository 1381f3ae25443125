import type { Segment } from '#contract/transcription.ts'

/** Index of the segment spoken at `seconds`; the latest begun wins where speakers overlap. -1 in silence. */
export function segmentAt(segments: readonly Pick<Segment, 'start' | 'end'>[], seconds: number): number {
  return segments.findLastIndex(({ start, end }) => start <= seconds && seconds < end)
}
