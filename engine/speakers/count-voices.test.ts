import { expect, test } from 'vitest'
import { countVoices } from './count-voices.ts'
import { planWindows } from './testing/windows.ts'

function embeddingsOf(count: number, options: { scatter?: number; turns?: number } = {}): Float32Array[] {
  const turns = Array.from({ length: options.turns ?? 24 }, (_, index) => index % count)
  return planWindows({ turns, scatter: options.scatter }).map(({ embedding }) => embedding)
}

test.each([1, 2, 3, 4, 6, 8])('counts %i voices', (count) => {
  expect(countVoices(embeddingsOf(count))).toBe(count)
})

test.each([1, 2, 4])('counts %i voices whose windows scatter widely', (count) => {
  expect(countVoices(embeddingsOf(count, { scatter: 1 }))).toBe(count)
})

test('counts at most maxVoices', () => {
  expect(countVoices(embeddingsOf(6), { maxVoices: 4 })).toBeLessThanOrEqual(4)
})

test('a short message has one voice', () => {
  for (const turns of [2, 4, 6]) expect(countVoices(embeddingsOf(1, { turns, scatter: 1 }))).toBe(1)
})

test('few windows are one voice, and so are many identical ones', () => {
  expect(countVoices([])).toBe(1)
  expect(countVoices(embeddingsOf(2, { turns: 1 }))).toBe(1)
  const [embedding = new Float32Array(64)] = embeddingsOf(1)
  expect(countVoices(Array.from({ length: 30 }, () => embedding))).toBe(1)
})

test('samples thousands of windows without aliasing with turns of equal length', () => {
  const turns = Array.from({ length: 300 }, (_, index) => index % 3)
  const windows = planWindows({ turns, windowsPerTurn: 30 })
  expect(countVoices(windows.map(({ embedding }) => embedding))).toBe(3)
})
