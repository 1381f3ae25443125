import { expect, test } from 'vitest'
import { planWindows, voiceDirection } from './testing/windows.ts'
import { assignToNearest, computeCentroids, measureSteadySpeech, mergeSimilarVoices } from './voice-groups.ts'

test('three consecutive windows are steady, one or two within other speech are not', () => {
  const windows = planWindows({ turns: [0], windowsPerTurn: 7 })
  expect(measureSteadySpeech(windows, [0, 0, 0, 1, 0, 0, 2])).toEqual(
    new Map([
      [0, 3200],
      [1, 0],
      [2, 0],
    ]),
  )
})

test('a single window between two pauses is steady', () => {
  const windows = planWindows({ turns: [0, 1], windowsPerTurn: 1 })
  expect(measureSteadySpeech(windows, [0, 1])).toEqual(
    new Map([
      [0, 1600],
      [1, 1600],
    ]),
  )
  expect(measureSteadySpeech([], [])).toEqual(new Map())
})

test('merges two voices of one person, but not those of two people', () => {
  const windows = planWindows({ turns: [0, 1, 0, 1, 0, 1], scatter: 0.8 })
  const halves = computeCentroids(
    windows,
    windows.map((_, index) => [0, 2, 0, 2, 1, 2][Math.floor(index / 5)] ?? 0),
  )
  expect(halves).toHaveLength(3)
  const merged = mergeSimilarVoices(windows, halves, 0.75)
  expect(merged).toHaveLength(2)
  expect(
    new Set(
      assignToNearest(
        [windows[0], windows[5]].filter((window) => window !== undefined),
        merged,
      ),
    ).size,
  ).toBe(2)
})

test('handles voices that are nearest to no window', () => {
  const windows = planWindows({ turns: [0], windowsPerTurn: 3 })
  expect(mergeSimilarVoices(windows, [voiceDirection(0), voiceDirection(7)], 0.89).length).toBeGreaterThan(0)
})
