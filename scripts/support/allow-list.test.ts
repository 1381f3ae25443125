import { expect, test } from 'vitest'
import {
  anyOf,
  fields,
  fileHash,
  flag,
  listOf,
  moment,
  number,
  oneOf,
  pattern,
  version,
  wordsIn,
} from './allow-list.ts'

test.each([
  ['an address as a version', version, '10.0.0.7'],
  ['a name as a version', version, 'Zarghuna 1.2'],
  ['a text as a number', number, '0791234567'],
  ['a number as a switch', flag, 1],
  ['a sentence with a time', moment, 'seen at 2026-11-26T18:00:00Z'],
  ['another word', oneOf(['done']), 'done by Farhad'],
  ['what only contains the pattern', pattern(/[a-z]{2}/), 'ps Farhad'],
  ['a short hash', fileHash, 'abc'],
  ['a text as a list', listOf(number), 'Farhad'],
  ['a list as an object', fields({ name: number }), ['Farhad']],
  ['an object as a number', number, { name: 'Farhad' }],
])('%s is masked', (_name, shape, value) => {
  expect(shape(value)).toBe('masked')
})

test.each([
  [version, 'v24.21.0', '24.21.0'],
  [version, '5.1.9-0+deb12u1', '5.1.9'],
  [version, '0.2.0+20261126.b384c64.modified', '0.2.0+20261126.b384c64.modified'],
  [number, Infinity, 'Infinity'],
  [moment, new Date('2026-11-26T18:00:00Z'), '2026-11-26T18:00:00.000Z'],
  [oneOf(['done'], 'other'), 'Farhad', 'other'],
  [anyOf([number, oneOf(['low'])], 'set'), 'low', 'low'],
  [anyOf([number, oneOf(['low'])], 'set'), 'Farhad', 'set'],
  [wordsIn(['SMTP_URL', 'EACCES']), 'SMTP_URL of Farhad: EACCES, SMTP_URL', ['SMTP_URL', 'EACCES']],
  [flag, null, null],
])('what is allowed is written: %#', (shape, value, expected) => {
  expect(shape(value)).toEqual(expected)
})

test('fields that are not listed are left out, with their names', () => {
  const shape = fields({ count: number, inner: fields({ ok: flag }) })
  expect(shape({ count: 1, Farhad: 2, inner: { ok: true, name: 'Farhad' } })).toEqual({ count: 1, inner: { ok: true } })
})
