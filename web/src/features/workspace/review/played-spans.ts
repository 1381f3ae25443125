import { addHeard, type HeardChannels, type HeardSpan } from '#contract/heard.ts'

export interface PlaybackSample {
  /** Of the playback. */
  positionMs: number
  /** Of a clock that only goes forward. */
  nowMs: number
  speed: number
  /** Which channels are audible, left first. */
  isAudible: readonly boolean[]
}

/** The position may be this much further than the clock says: both are read at slightly different moments. */
const toleranceMs = 200
const speedTolerance = 1.2

/** Collects what is played: the way from one sample to the next counts where the playback cannot have jumped. */
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

  /** Starts again with the next sample: the position was moved, or playing has stopped. */
  interrupt(): void {
    this.#last = null
  }

  /** Returns what was collected, and forgets it; null for nothing. */
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
