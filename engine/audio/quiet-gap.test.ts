import { expect, test } from 'vitest'
import { findQuietestGap } from './quiet-gap.ts'

function framesWithPauses(...pauses: [from: number, to: number][]): Float32Array {
  const frames = new Float32Array(200).fill(0.2)
  for (const [from, to] of pauses) frames.fill(0.002, from, to)
  return frames
}

test('finds the pause near a time, from the end of the preceding sound to the start of the following one', () => {
  expect(findQuietestGap(framesWithPauses([100, 108]), 1900)).toEqual({ startMs: 2000, endMs: 2160 })
})

test('searches at most half a second away', () => {
  const { startMs, endMs } = findQuietestGap(framesWithPauses([150, 160]), 1900)
  expect(startMs).toBeGreaterThanOrEqual(1400)
  expect(endMs).toBeLessThanOrEqual(2420)
})

test('stays inside the recording', () => {
  expect(findQuietestGap(new Float32Array(10).fill(0.1), 0)).toEqual({ startMs: 0, endMs: 200 })
})
