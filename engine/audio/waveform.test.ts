import { expect, test } from 'vitest'

import { foldPeaks } from './waveform.ts'

test('each bar is the largest peak of its share, a row for each channel', () => {
  const peaks = [Float32Array.of(0, 0.5, 0.25, 0.125), Float32Array.of(1, 0, 0, 0.75)]
  expect(foldPeaks({ peaks }, 2)).toEqual([
    [0.5, 0.25],
    [1, 0.75],
  ])
})

test('every frame is in a bar when the bars do not divide the frames', () => {
  for (const at of [0, 3, 6]) {
    const peaks = new Float32Array(7)
    peaks[at] = 1
    expect(foldPeaks({ peaks: [peaks] }, 3).flat()).toContain(1)
  }
})

test('a recording with fewer frames than bars still has all bars', () => {
  expect(foldPeaks({ peaks: [Float32Array.of(0.5, 1)] }, 4)).toEqual([[0.5, 0.5, 1, 1]])
})

test('a recording without a whole frame is flat', () => {
  expect(foldPeaks({ peaks: [new Float32Array()] }, 3)).toEqual([[0, 0, 0]])
})
