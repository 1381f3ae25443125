import { expect, test } from 'vitest'
import { parseTranscribeOptions } from './transcribe-options.ts'

test('takes Pashto and text where nothing else is said', () => {
  expect(parseTranscribeOptions(['call.wav'])).toEqual({
    file: 'call.wav',
    languages: ['ps'],
    names: [],
    target: undefined,
    keywordFile: undefined,
    format: 'text',
    doubt: 'none',
    out: undefined,
  })
})

test('takes a language for each channel', () => {
  expect(parseTranscribeOptions(['call.wav', '--language', 'ps,en'])).toMatchObject({ languages: ['ps', 'en'] })
  expect(parseTranscribeOptions(['call.wav', '--language', 'multi'])).toMatchObject({ languages: ['multi'] })
})

test('takes names that are likely to be heard', () => {
  expect(parseTranscribeOptions(['call.wav', '--names', ' Ahmad, Kandahar، کابل,'])).toMatchObject({
    names: ['Ahmad', 'Kandahar', 'کابل'],
  })
})

test('takes how doubt is shown', () => {
  expect(parseTranscribeOptions(['call.wav', '--doubt', 'mark'])).toMatchObject({ doubt: 'mark' })
})

test.each([
  [['call.wav', '--language', 'klingon'], 'klingon'],
  [['call.wav', '--language', 'ps,en,ur'], 'at most two languages'],
  [['call.wav', '--names', 'x'.repeat(61)], 'A name has at most 60 characters.'],
  [['call.wav', '--names', 'a,'.repeat(41)], 'There are at most 40 names.'],
  [['call.wav', '--translate', 'xx'], '"xx"'],
  [['call.wav', '--format', 'pdf'], '"pdf" is not a format'],
  [['call.wav', '--doubt', 'loud'], '"loud" is not a way to show doubt'],
  [[], 'Name the recording'],
  [['a.wav', 'b.wav'], 'one recording at a time'],
])('refuses %j with a sentence', (args, sentence) => {
  expect(() => parseTranscribeOptions(args)).toThrow(sentence)
})
