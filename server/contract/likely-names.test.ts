import { expect, test } from 'vitest'
import { api } from './api.ts'
import { LikelyNames, maxNameCharacters, maxNames, splitNames } from './likely-names.ts'

const file_id = '0123456789abcdef01234567'

test('trims names, and drops empty and repeated ones', () => {
  expect(LikelyNames.parse([' Ahmad ', '', '  ', 'د کندهار ښار', 'Ahmad'])).toEqual(['Ahmad', 'د کندهار ښار'])
})

test.each([
  ['more names than the maximum', Array.from({ length: maxNames + 1 }, (_, index) => `Name ${index}`)],
  ['a name longer than the maximum', ['x'.repeat(maxNameCharacters + 1)]],
  ['a line break', ['Ahmad\nKandahar']],
  ['a line separator', ['Ahmad\u2028Kandahar']],
  ['a control character', ['Ahmad\u0000']],
])('rejects %s', (_, names) => {
  expect(LikelyNames.safeParse(names).success).toBe(false)
})

test('accepts the maximum number and length of names', () => {
  const names = Array.from({ length: maxNames }, (_, index) => String(index).padEnd(maxNameCharacters, 'x'))
  expect(LikelyNames.parse(names)).toEqual(names)
})

test('a transcription has no names by default, and a diarization accepts none', () => {
  expect(api.audio.transcribe.body.parse({ file_id }).names).toEqual([])
  expect(api.audio.diarize.body.parse({ file_id, names: ['Ahmad'] })).not.toHaveProperty('names')
})

test('splits names at the commas and semicolons of both scripts', () => {
  expect(LikelyNames.parse(splitNames('Ahmad, Kandahar;; احمد، کندهار؛ Kabul,'))).toEqual([
    'Ahmad',
    'Kandahar',
    'احمد',
    'کندهار',
    'Kabul',
  ])
})
