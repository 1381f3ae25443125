import { describe, expect, it } from 'vitest'
import { PlayedSpans, type PlaybackSample } from './played-spans.ts'

/** Plays from a position for `forMs`, with a sample every 50 ms. */
function play(spans: PlayedSpans, fromMs: number, forMs: number, part: Partial<PlaybackSample> = {}) {
  const { speed = 1, isAudible = [true] } = part
  for (let at = 0; at <= forMs; at += 50) spans.add({ positionMs: fromMs + at * speed, nowMs: at, speed, isAudible })
}

describe('what counts as played', () => {
  it('is what the playback went through, at any speed', () => {
    const spans = new PlayedSpans()
    play(spans, 1000, 500)
    spans.interrupt()
    play(spans, 5000, 500, { speed: 3 })
    expect(spans.take()).toEqual([
      [
        [1000, 1500],
        [5000, 6500],
      ],
    ])
    expect(spans.take()).toBeNull()
  })

  it('is not what was skipped, forwards or back', () => {
    const spans = new PlayedSpans()
    spans.add({ positionMs: 0, nowMs: 0, speed: 1, isAudible: [true] })
    spans.add({ positionMs: 10_000, nowMs: 50, speed: 1, isAudible: [true] })
    spans.add({ positionMs: 4000, nowMs: 100, speed: 1, isAudible: [true] })
    spans.add({ positionMs: 4050, nowMs: 150, speed: 1, isAudible: [true] })
    expect(spans.take()).toEqual([[[4000, 4050]]])
  })

  it('is each channel by itself, as it was audible', () => {
    const spans = new PlayedSpans()
    play(spans, 0, 500, { isAudible: [true, false] })
    play(spans, 500, 500, { isAudible: [false, true] })
    expect(spans.take()).toEqual([[[0, 500]], [[500, 1000]]])
    play(spans, 0, 500, { isAudible: [false, false] })
    expect(spans.take()).toBeNull()
  })

  it('goes on where a sample came late', () => {
    const spans = new PlayedSpans()
    spans.add({ positionMs: 0, nowMs: 0, speed: 1, isAudible: [true] })
    spans.add({ positionMs: 1010, nowMs: 1000, speed: 1, isAudible: [true] })
    expect(spans.take()).toEqual([[[0, 1010]]])
  })
})
