import { expect, test } from 'vitest'
import { startCpuClock } from '#testing/cpu-clock.ts'
import { normalize } from './average-linkage.ts'
import { clusterVoices } from './cluster-voices.ts'
import { planWindows, voiceDirection } from './testing/windows.ts'
import { assignToNearest } from './voice-groups.ts'

const options = { blockThreshold: 0.65, sameVoice: 0.9 }

test('no windows have no voices', () => {
  expect(clusterVoices([], options)).toEqual([])
})

test('one window is one voice, and two identical ones are too', () => {
  const [window] = planWindows({ turns: [0], windowsPerTurn: 1 })
  if (!window) throw new Error('There is no window')
  expect(clusterVoices([window], options)).toEqual([window.embedding])
  expect(clusterVoices([window, { ...window, startMs: 4000, endMs: 5600 }], options)).toHaveLength(1)
})

test('windows too short to cluster are one voice', () => {
  const windows = planWindows({ turns: [0, 1], windowsPerTurn: 1 }).map((window) => ({
    ...window,
    endMs: window.startMs + 400,
  }))
  expect(clusterVoices(windows, options)).toHaveLength(1)
})

test.each([1, 2, 3, 4, 6])('finds %i voices and assigns their windows', (count) => {
  const turns = Array.from({ length: 24 }, (_, index) => index % count)
  const windows = planWindows({ turns })
  const voices = clusterVoices(windows, options)
  expect(voices).toHaveLength(count)
  const labels = assignToNearest(windows, voices)
  const truth = turns.flatMap((voice) => Array.from({ length: 5 }, () => voice))
  expect(new Set(labels.map((label, index) => `${label} ${truth[index]}`)).size).toBe(count)
})

test('windows across speaker changes are not a third voice', () => {
  const windows = planWindows({ turns: Array.from({ length: 20 }, (_, index) => index % 2) })
  const between = normalize(voiceDirection(0).map((value, at) => value + (voiceDirection(1)[at] ?? 0)))
  const mixed = windows.map((window, index) => {
    const embedding =
      index % 5 === 4 && between && normalize(between.map((value, at) => value + 0.5 * (window.embedding[at] ?? 0)))
    return embedding ? { ...window, embedding } : window
  })
  expect(clusterVoices(mixed, options)).toHaveLength(2)
})

test('a single noise is not a voice, and does not replace one if the number is known', () => {
  const windows = planWindows({ turns: [0, 1, 0, 1, 0, 1] })
  const [stray] = planWindows({ turns: [9], windowsPerTurn: 1 })
  if (!stray) throw new Error('There is no window')
  const all = [...windows, { ...stray, startMs: 90_000, endMs: 91_600 }]
  expect(clusterVoices(all, options)).toHaveLength(2)
  const voices = clusterVoices(all, { ...options, voiceCount: 2 })
  expect(new Set(assignToNearest(windows, voices)).size).toBe(2)
})

test('finds exactly the known number of voices', () => {
  const windows = planWindows({ turns: [0, 1, 2, 0, 1, 2] })
  for (const voiceCount of [1, 2, 3]) {
    expect(clusterVoices(windows, { ...options, voiceCount })).toHaveLength(voiceCount)
  }
})

test('finds no more voices than there are windows', () => {
  const windows = planWindows({ turns: [0, 1], windowsPerTurn: 1 })
  expect(clusterVoices(windows, { ...options, voiceCount: 8 }).length).toBeLessThanOrEqual(2)
})

test('clustering in blocks finds the same voices, including one that speaks in a single block', () => {
  const turns = [...Array.from({ length: 30 }, (_, index) => index % 2), 2, 2, 2]
  const windows = planWindows({ turns })
  const whole = assignToNearest(windows, clusterVoices(windows, options))
  const inBlocks = assignToNearest(windows, clusterVoices(windows, { ...options, blockSize: 40 }))
  expect(new Set(whole).size).toBe(3)
  expect(new Set(whole.map((label, index) => `${label} ${inBlocks[index]}`)).size).toBe(3)
})

test('clusters two hours of windows within 20 s', () => {
  const windows = planWindows({ turns: Array.from({ length: 300 }, (_, index) => index % 3), windowsPerTurn: 30 })
  const cpuMs = startCpuClock()
  expect(clusterVoices(windows, options)).toHaveLength(3)
  expect(cpuMs()).toBeLessThan(20_000)
})
