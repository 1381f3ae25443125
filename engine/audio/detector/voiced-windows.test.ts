import { expect, test } from 'vitest'
import { findVoicedRanges } from './voiced-windows.ts'

function ranges(...probabilities: number[]): string[] {
  return findVoicedRanges(Float32Array.from(probabilities), 0.5).map(({ first, last }) => `${first}-${last}`)
}

test('a voice starts with two windows in a row above the threshold', () => {
  expect(ranges(0.1, 0.6, 0.6, 0.1, 0.1)).toEqual(['1-3'])
  expect(ranges(0.6, 0.4, 0.6, 0.4, 0.6)).toEqual([])
})

test('it ends before the second window more than 0.15 below the threshold', () => {
  expect(ranges(0.6, 0.6, 0.3, 0.3, 0.3)).toEqual(['0-2'])
  expect(ranges(0.6, 0.6, 0.3, 0.4, 0.4, 0.3, 0.3)).toEqual(['0-4'])
})

test('a window above the threshold begins the count again, one between the two does not', () => {
  expect(ranges(0.6, 0.6, 0.3, 0.6, 0.3, 0.4, 0.3)).toEqual(['0-5'])
})

test('after it has ended a voice needs two windows again', () => {
  expect(ranges(0.6, 0.6, 0.1, 0.1, 0.6, 0.1, 0.6, 0.6)).toEqual(['0-2', '6-7'])
})

test('a voice that does not end reaches to the last window', () => {
  expect(ranges(0.6, 0.6, 0.6)).toEqual(['0-2'])
  expect(ranges()).toEqual([])
})
