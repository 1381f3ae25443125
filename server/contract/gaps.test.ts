import { expect, test } from 'vitest'
import { listGaps } from './gaps.ts'

const warning = { code: 'repetition', message: 'The model repeated itself.', start: 10, end: 14, channel: 0 }
const line = { start: 10, end: 14, text: 'hello', channel: 0 }

test('returns the passage of a warning as a gap', () => {
  const later = { ...warning, start: 20, end: 21 }
  expect(listGaps({ segments: [], warnings: [later, warning] }).map(({ start }) => start)).toEqual([10, 20])
})

test('returns no gap for a warning without times, or about a passage whose text is not missing', () => {
  expect(listGaps({ segments: [], warnings: [{ code: 'dual_mono', message: 'Both are the same.' }] })).toEqual([])
  expect(listGaps({ segments: [line], warnings: [warning] })).toEqual([])
  expect(listGaps({ segments: [], warnings: [{ ...warning, code: 'language_changes' }] })).toEqual([])
  expect(listGaps({ segments: [], warnings: [{ ...warning, code: 'bleed' }] })).toEqual([])
})

test("does not fill a gap with the other channel's text or a line at its edge", () => {
  const other = { ...line, channel: 1 }
  const edge = { ...line, end: 11 }
  expect(listGaps({ segments: [other, edge], warnings: [warning] })).toHaveLength(1)
})
