import { expect, test } from 'vitest'

import { downsamplePeaks, finePeaks } from './waveform.ts'

test('each bar is the largest peak of its part, with one row per channel', () => {
  const peaks = [Float32Array.of(0, 0.5, 0.25, 0.125), Float32Array.of(1, 0, 0, 0.75)]
  expect(downsamplePeaks({ peaks }, 2)).toEqual([
    [0.5, 0.25],
    [1, 0.75],
  ])
})

test('every frame is in a bar when the number of frames is not a multiple of the bars', () => {
  for (const at of [0, 3, 6]) {
    const peaks = new Float32Array(7)
    peaks[at] = 1
    expect(downsamplePeaks({ peaks: [peaks] }, 3).flat()).toContain(1)
  }
})

test('a recording with fewer frames than bars still has all bars', () => {
  expect(downsamplePeaks({ peaks: [Float32Array.of(0.5, 1)] }, 4)).toEqual([[0.5, 0.5, 1, 1]])
})

test('a recording without a whole frame is flat', () => {
  expect(downsamplePeaks({ peaks: [new Float32Array()] }, 3)).toEqual([[0, 0, 0]])
})

test('fine peaks are a byte for each 20 ms along the square root of the amplitude', () => {
  const peaks = [Float32Array.of(0, 0.25, 1), Float32Array.of(0.04, 0, 0.0001)]
  expect(finePeaks({ peaks })).toEqual({
    binMs: 20,
    channels: [Uint8Array.of(0, 128, 255), Uint8Array.of(51, 0, 3)],
  })
})

test('fine peaks of more than two hours are coarser, and lose no peak', () => {
  const peaks = new Float32Array(360_001)
  peaks[360_000] = 1
  peaks[3] = 0.25
  const { binMs, channels } = finePeaks({ peaks: [peaks] })
  expect(binMs).toBe(40)
  expect(channels[0]).toHaveLength(180_001)
  expect([channels[0]?.[0], channels[0]?.[1], channels[0]?.[180_000]]).toEqual([0, 128, 255])
})
