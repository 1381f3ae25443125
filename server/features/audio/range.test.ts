import { expect, test } from 'vitest'
import { parseRange } from './range.ts'

test.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=10-', { start: 10, end: 99 }],
  ['bytes=-5', { start: 95, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=99-99', { start: 99, end: 99 }],
])('%s of 100 bytes is a part', (header, expected) => {
  expect(parseRange(header, 100)).toEqual(expected)
})

test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s of 100 bytes cannot be satisfied', (header) => {
  expect(parseRange(header, 100)).toBe('unsatisfiable')
})

test.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=9-3', 'bytes=0-1,5-6', 'items=0-9', 'bytes=a-b'])(
  '%s is no range that is understood, so the whole file is meant',
  (header) => {
    expect(parseRange(header, 100)).toBeNull()
  },
)
