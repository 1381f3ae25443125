/** An utterance without long pauses, with which lines are compared. */
export interface ReferenceUtterance {
  channel: 0 | 1
  text: string
  /** Start and end of the voice, determined by its level. */
  startMs: number
  endMs: number
  /** Voiced passages between pauses of at least 0.3 s, determined by level. By default the whole utterance is voiced. */
  voiced?: Span[]
}

/** A line of a transcript. */
export interface Line {
  channel: 0 | 1
  startMs: number
  endMs: number
  text: string
  /** Words with their own times, if the engine gives them. */
  words?: { text: string; startMs: number; endMs: number }[]
}

interface Span {
  startMs: number
  endMs: number
}

/** Milliseconds between two spans; 0 where they touch or overlap. */
export function distanceMs(a: Span, b: Span): number {
  return Math.max(0, a.startMs - b.endMs, b.startMs - a.endMs)
}

/** Milliseconds that two spans share. */
export function overlapMs(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs))
}
