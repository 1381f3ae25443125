import { expect, test } from 'vitest'
import { findLineFaults } from './line-faults.ts'
import type { Line, ReferenceUtterance } from './reference.ts'

const said: ReferenceUtterance = { channel: 0, text: 'one two three', startMs: 10_000, endMs: 16_000 }

function line(startMs: number, endMs: number, text = 'words'): Line {
  return { channel: 0, startMs, endMs, text }
}

test('more than a second of voice without a line or a warning is missing', () => {
  const lines = [line(11_400, 16_000)]
  expect(findLineFaults(lines, [said], []).missing).toEqual([{ channel: 0, startMs: 10_000, endMs: 11_100 }])
  expect(findLineFaults([line(11_200, 16_000)], [said], []).missing).toEqual([])
  const warning = { code: 'unclear', message: '-', start: 10, end: 11.5, channel: 0 as const }
  expect(findLineFaults(lines, [said], [warning]).missing).toEqual([])
})

test('a pause counts as no voice', () => {
  const voiced = [
    { startMs: 10_000, endMs: 10_500 },
    { startMs: 10_900, endMs: 16_000 },
  ]
  expect(findLineFaults([line(11_600, 16_000)], [{ ...said, voiced }], []).missing).toEqual([])
  expect(findLineFaults([line(12_000, 16_000)], [{ ...said, voiced }], []).missing).toHaveLength(1)
})

test('a line without length, with too many letters, or while nobody speaks is a fault', () => {
  const lines = [line(10_000, 10_000), line(10_000, 10_100, 'a whole sentence'), line(20_000, 21_000)]
  const { impossible, nobody } = findLineFaults(lines, [said], [])
  expect(impossible).toEqual(lines.slice(0, 2))
  expect(nobody).toEqual(lines.slice(2))
})
