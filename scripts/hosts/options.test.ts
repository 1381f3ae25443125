import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test('a run lasts ten minutes unless it is told otherwise', () => {
  expect(readOptions([])).toEqual({ minutes: 10 })
  expect(readOptions(['--minutes', '3', '--logs', 'kept'])).toEqual({ minutes: 3, logs: 'kept' })
})

test.each([
  [['--minutes', 'many'], '--minutes takes a number'],
  [['--minutes', '0'], '--minutes takes at least 1'],
  [['--rounds', '3'], "Unknown option '--rounds'"],
])('refuses %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})
