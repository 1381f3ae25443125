import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test('a run lasts ten minutes unless it is told otherwise', () => {
  expect(readOptions([])).toEqual({ minutes: 10, audioStore: 'folder' })
  expect(readOptions(['--minutes', '3', '--logs', 'kept', '--audio-store', 'gridfs'])).toEqual({
    minutes: 3,
    logs: 'kept',
    audioStore: 'gridfs',
  })
})

test.each([
  [['--minutes', 'many'], '--minutes takes a number'],
  [['--minutes', '0'], '--minutes takes at least 1'],
  [['--audio-store', 's3'], '--audio-store takes folder or gridfs'],
  [['--rounds', '3'], "Unknown option '--rounds'"],
])('refuses %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})
