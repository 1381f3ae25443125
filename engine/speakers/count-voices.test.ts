import { expect, test } from 'vitest'
import { countVoices } from './count-voices.ts'
import { planWindows } from './testing/windows.ts'

function vectorsOf(count: number, options: { scatter?: number; turns?: number } = {}): Float32Array[] {
  const turns = Array.from({ length: options.turns ?? 24 }, (_, index) => index % count)
  return planWindows({ turns, scatter: options.scatter }).map(({ vector }) => vector)
}

test.each([1, 2, 3, 4, 6, 8])('counts %i voices', (count) => {
  expect(countVoices(vectorsOf(count))).toBe(count)
})

test.each([1, 2, 4])('counts %i voices whose windows scatter widely', (count) => {
  expect(countVoices(vectorsOf(count, { scatter: 1 }))).toBe(count)
})

test('more voices than asked for are as many as asked for', () => {
  expect(countVoices(vectorsOf(6), { maxVoices: 4 })).toBeLessThanOrEqual(4)
})

test('a short message of one voice is one voice', () => {
  for (const turns of [2, 4, 6]) expect(countVoices(vectorsOf(1, { turns, scatter: 1 }))).toBe(1)
})

test('a few windows are one voice, and so are many equal ones', () => {
  expect(countVoices([])).toBe(1)
  expect(countVoices(vectorsOf(2, { turns: 1 }))).toBe(1)
  const [vector = new Float32Array(64)] = vectorsOf(1)
  expect(countVoices(Array.from({ length: 30 }, () => vector))).toBe(1)
})

test('of thousands of windows it looks at some, and not in step with turns of equal length', () => {
  const turns = Array.from({ length: 300 }, (_, index) => index % 3)
  const windows = planWindows({ turns, windowsPerTurn: 30 })
  expect(countVoices(windows.map(({ vector }) => vector))).toBe(3)
})
