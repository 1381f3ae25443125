import { expect, test } from 'vitest'
import { listGaps } from './gaps.ts'

const warning = { code: 'repetition', message: 'The model repeated itself.', start: 10, end: 14, channel: 0 }
const line = { start: 10, end: 14, text: 'hello', channel: 0 }

test('a passage that a warning names is a gap', () => {
  const later = { ...warning, start: 20, end: 21 }
  expect(listGaps({ segments: [], warnings: [later, warning] }).map(({ start }) => start)).toEqual([10, 20])
})

test('a warning without times, or about a passage that has text, is none', () => {
  expect(listGaps({ segments: [], warnings: [{ code: 'dual_mono', message: 'Both are the same.' }] })).toEqual([])
  expect(listGaps({ segments: [line], warnings: [warning] })).toEqual([])
  expect(listGaps({ segments: [], warnings: [{ ...warning, code: 'language_changes' }] })).toEqual([])
})

test("the other channel's text does not fill a gap, nor does a line at its edge", () => {
  const other = { ...line, channel: 1 }
  const edge = { ...line, end: 11 }
  expect(listGaps({ segments: [other, edge], warnings: [warning] })).toHaveLength(1)
})
