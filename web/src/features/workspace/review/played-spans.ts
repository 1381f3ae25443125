import { addHeard, type HeardChannels, type HeardSpan } from '#contract/heard.ts'

export interface PlaybackSample {
  /** The playback position. */
  positionMs: number
  /** The time of a monotonic clock. */
  nowMs: number
  speed: number
  /** Which channels are audible, left first. */
  isAudible: readonly boolean[]
}

/** The position may be ahead of the clock by this much, since the two are read at slightly different moments. */
const toleranceMs = 200
const speedTolerance = 1.2

/** Collects what is played: the span between two samples counts if playback cannot have jumped. */
export class PlayedSpans {
  #last: PlaybackSample | null = null
  #channels: HeardSpan[][] = []

  /** Adds what was played since the previous sample. */
  add(sample: PlaybackSample): void {
    const last = this.#last
    this.#last = sample
    if (!last) return
    const playedMs = sample.positionMs - last.positionMs
    const possibleMs = (sample.nowMs - last.nowMs) * last.speed * speedTolerance + toleranceMs
    if (playedMs <= 0 || playedMs > possibleMs) return
    for (const [channel, isAudible] of last.isAudible.entries()) {
      const spans = (this.#channels[channel] ??= [])
      if (isAudible) extend(spans, [Math.round(last.positionMs), Math.round(sample.positionMs)])
    }
  }

  /** Starts over with the next sample, because the position was moved or playback stopped. */
  interrupt(): void {
    this.#last = null
  }

  /** Returns what was collected, and clears it; null for nothing. */
  take(): HeardChannels | null {
    const channels = addHeard([], this.#channels)
    this.#channels = []
    return channels.some((spans) => spans.length > 0) ? channels : null
  }
}

function extend(spans: HeardSpan[], [start, end]: HeardSpan): void {
  const last = spans.at(-1)
  if (last?.[1] === start) last[1] = end
  else if (end > start) spans.push([start, end])
}
