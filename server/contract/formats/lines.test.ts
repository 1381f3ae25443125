import { expect, test } from 'vitest'
import { markStale, oneLine } from './lines.ts'

test('a translation of an earlier text says so', () => {
  expect(markStale({ text: 'one', isStale: true })).toBe('one [outdated]')
  expect(markStale({ text: 'one', isStale: false })).toBe('one')
  expect(markStale({ text: '', isStale: true })).toBe('')
})

test('a text of several lines becomes one', () => {
  expect(oneLine(' one\r\n\ttwo  three ')).toBe('one two three')
})
