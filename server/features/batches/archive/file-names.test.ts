import { expect, test } from 'vitest'
import { createUniqueNames, safeFileName } from './file-names.ts'

test.each([
  ['call 0412.wav', 'call 0412'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['a/b\\c:d*e?"f<g>|h.mp3', 'a_b_c_d_e__f_g__h'],
  ['line\nbreak\u0000\u2028.wav', 'line_break__'],
  ['invoice\u202egpj.exe', 'invoicegpj'],
  ['می\u200cخواهم.wav', 'می\u200cخواهم'],
  ['CON.wav', '_CON'],
  ['nul', '_nul'],
  ['com1.old.wav', '_com1.old'],
  [' . .. ', 'recording'],
  ['.wav', 'recording'],
  ['half \ud800.wav', 'half \ufffd'],
])('the recording %j is written as %j', (name, expected) => {
  expect(safeFileName(name)).toBe(expected)
})

test('a long name is cut between characters', () => {
  const name = safeFileName('ش'.repeat(200))
  expect(Buffer.byteLength(name)).toBe(180)
})

test('equal names get numbers, also where an ending makes them equal, or the case of letters', () => {
  const toUnique = createUniqueNames()
  expect(toUnique('call', ['txt', 'en.txt'])).toEqual(['call.txt', 'call.en.txt'])
  expect(toUnique('Call', ['txt'])).toEqual(['Call (2).txt'])
  expect(toUnique('call.en', ['txt'])).toEqual(['call.en (2).txt'])
  expect(toUnique('call', ['txt'])).toEqual(['call (3).txt'])
})
