import { expect, test } from 'vitest'
import { parseNumberedLines } from './line-batches.ts'

test('as many lines as requested, each with its number, are parsed', () => {
  expect(parseNumberedLines('1. one\n2) two\n\n3: three\n', 3)).toEqual(['one', 'two', 'three'])
})

test.each([
  ['a line is missing', '1. one\n3. three'],
  ['a number is missing', '1. one\ntwo\n3. three'],
  ['the order is another', '2. two\n1. one\n3. three'],
  ['a line is empty', '1. one\n2.\n3. three'],
  ['there is talk before', 'Sure!\n1. one\n2. two\n3. three'],
])('nothing is parsed where %s', (_, answer) => {
  expect(parseNumberedLines(answer, 3)).toBeUndefined()
})
