import { expect, test } from 'vitest'
import { tightenSpans } from './tighten.ts'

/** Returns ten seconds of frames with a voice from 3 to 5 s. */
function framesWithVoice(noise: number): Float32Array {
  return new Float32Array(500).fill(noise).fill(0.1, 150, 250)
}

test('moves a late start and a late end to the boundaries of the voice', () => {
  expect(tightenSpans([{ startMs: 3060, endMs: 5240 }], framesWithVoice(0.0001))).toEqual([
    { startMs: 3000, endMs: 5000 },
  ])
})

test('moves an early start', () => {
  expect(tightenSpans([{ startMs: 2960, endMs: 4990 }], framesWithVoice(0.0001))).toEqual([
    { startMs: 3000, endMs: 5000 },
  ])
})

test('extends a span to a short loud word before it, but not to a click or a distant sound', () => {
  const span = [{ startMs: 3000, endMs: 5000 }]
  const withSound = (from: number, to: number) => framesWithVoice(0.0001).fill(0.1, from, to)
  expect(tightenSpans(span, withSound(130, 138))[0]?.startMs).toBe(2600)
  expect(tightenSpans(span, withSound(135, 137))[0]?.startMs).toBe(3000)
  expect(tightenSpans(span, withSound(100, 110))[0]?.startMs).toBe(3000)
})

test('does not move boundaries in loud noise', () => {
  const spans = [{ startMs: 3060, endMs: 5240 }]
  expect(tightenSpans(spans, new Float32Array(500).fill(0.1))).toEqual(spans)
})

test('never moves a boundary far, nor into the neighbouring span', () => {
  const [first, second] = tightenSpans(
    [
      { startMs: 1000, endMs: 2000 },
      { startMs: 2040, endMs: 2600 },
    ],
    new Float32Array(500).fill(0.1, 0, 400),
  )
  expect(first?.endMs).toBeLessThanOrEqual(second?.startMs ?? 0)
  expect(first?.startMs).toBeGreaterThanOrEqual(900)
  expect(second?.endMs).toBeLessThanOrEqual(2680)
})
