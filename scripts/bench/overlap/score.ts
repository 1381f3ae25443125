import type { Span } from '../voices/turns.ts'

/** Milliseconds. */
export interface BleedScore {
  /** The channel's own speech, as detected when no one else is heard, and how much of it is missing. */
  ownMs: number
  takenOutMs: number
  /** Speech of the other channel more than a collar away from own speech, and how much of it is kept. */
  otherMs: number
  keptMs: number
  /** Number of channels with nothing left. */
  lostChannels: number
}

export const noScore: BleedScore = { ownMs: 0, takenOutMs: 0, otherMs: 0, keptMs: 0, lostChannels: 0 }

const stepMs = 10

/** Scores what was detected on one channel. `own` and `other` are what each person said while the other was silent. */
export function scoreChannel(
  detected: readonly Span[],
  { own, other, collarMs }: { own: readonly Span[]; other: readonly Span[]; collarMs: number },
): BleedScore {
  const score = { ...noScore, lostChannels: own.length > 0 && detected.length === 0 ? 1 : 0 }
  const endMs = Math.max(0, ...[...own, ...other].map((span) => span.endMs))
  for (let ms = stepMs / 2; ms < endMs; ms += stepMs) {
    const isDetected = holds(detected, ms)
    if (holds(own, ms)) {
      score.ownMs += stepMs
      if (!isDetected) score.takenOutMs += stepMs
    } else if (holds(other, ms) && !holds(own, ms, collarMs)) {
      score.otherMs += stepMs
      if (isDetected) score.keptMs += stepMs
    }
  }
  return score
}

function holds(spans: readonly Span[], ms: number, marginMs = 0): boolean {
  return spans.some(({ startMs, endMs }) => ms >= startMs - marginMs && ms < endMs + marginMs)
}

export function addScores(scores: readonly BleedScore[]): BleedScore {
  const sum = { ...noScore }
  for (const score of scores) {
    for (const key of ['ownMs', 'takenOutMs', 'otherMs', 'keptMs', 'lostChannels'] as const) sum[key] += score[key]
  }
  return sum
}
