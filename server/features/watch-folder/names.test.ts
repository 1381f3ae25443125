import { expect, test } from 'vitest'
import { isDecodable, isIgnored, isPartial, keyOf, numberName } from './names.ts'

const number = (name: string, count: number, hasNote = false) =>
  numberName(Buffer.from(name), count, { hasNote }).toString()

test('numbers a name before its ending', () => {
  expect(number('call.wav', 1)).toBe('call.wav')
  expect(number('call.wav', 2)).toBe('call (2).wav')
  expect(number('call', 2)).toBe('call (2)')
})

test('shortens a name that is too long for a number or a note, not within a letter', () => {
  const name = `${'a'.repeat(251)}.wav`
  expect(number(name, 1)).toBe(name)
  expect(number(name, 1, true)).toBe(`${'a'.repeat(247)}.wav`)
  expect(number(name, 12)).toBe(`${'a'.repeat(246)} (12).wav`)
  // Each letter has two bytes.
  expect(number(`${'پ'.repeat(125)}.wav`, 1, true)).toBe(`${'پ'.repeat(123)}.wav`)
  expect(Buffer.byteLength(number(`x.${'y'.repeat(253)}`, 2, true))).toBeLessThanOrEqual(251)
})

test('no two paths have one key, whatever the encoding of their names', () => {
  const names = [Buffer.from('é'), Buffer.from('\u00e9', 'latin1'), Buffer.from('\ufffd')]
  expect(new Set(names.map((name) => keyOf([name]))).size).toBe(3)
  expect(names.map(isDecodable)).toEqual([true, false, true])
})

test.each(['.hidden', 'done', 'failed', 'awaz-problem.txt'])('%s is not looked at', (name) => {
  expect(isIgnored(Buffer.from(name))).toBe(true)
})

test.each(['call.wav.part', 'call.TMP', 'call.wav~', 'x.crdownload'])('%s is still being written', (name) => {
  expect(isPartial(Buffer.from(name))).toBe(true)
})

test('a recording is looked at', () => {
  expect([isIgnored(Buffer.from('done.wav')), isPartial(Buffer.from('part.wav'))]).toEqual([false, false])
})
