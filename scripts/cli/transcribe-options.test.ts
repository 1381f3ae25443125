import { expect, test } from 'vitest'
import { parseTranscribeOptions } from './transcribe-options.ts'

test('defaults to Pashto and text', () => {
  expect(parseTranscribeOptions(['call.wav'])).toEqual({
    file: 'call.wav',
    languages: ['ps'],
    names: [],
    speakerCount: undefined,
    splitVoices: [],
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

test('takes names that are likely to occur', () => {
  expect(parseTranscribeOptions(['call.wav', '--names', ' Ahmad, Kandahar، کابل,'])).toMatchObject({
    names: ['Ahmad', 'Kandahar', 'کابل'],
  })
})

test('takes a number of speakers, and the channels that several share', () => {
  expect(parseTranscribeOptions(['call.wav', '--speakers', '3'])).toMatchObject({ speakerCount: 3 })
  expect(parseTranscribeOptions(['call.wav', '--split', 'right'])).toMatchObject({ splitVoices: [false, true] })
  expect(parseTranscribeOptions(['call.wav', '--split', 'left, right'])).toMatchObject({ splitVoices: [true, true] })
})

test('takes how uncertain words are shown', () => {
  expect(parseTranscribeOptions(['call.wav', '--doubt', 'mark'])).toMatchObject({ doubt: 'mark' })
})

test.each([
  [['call.wav', '--language', 'klingon'], 'klingon'],
  [['call.wav', '--language', 'ps,en,ur'], 'at most two languages'],
  [['call.wav', '--names', 'x'.repeat(61)], 'A name has at most 60 characters.'],
  [['call.wav', '--names', 'a,'.repeat(41)], 'There are at most 40 names.'],
  [['call.wav', '--speakers', '0'], '"0" is not a number of speakers from 1 to 8.'],
  [['call.wav', '--speakers', 'two'], '"two" is not'],
  [['call.wav', '--split', 'middle'], '"middle" is not a channel'],
  [['call.wav', '--translate', 'xx'], '"xx"'],
  [['call.wav', '--format', 'pdf'], '"pdf" is not a format'],
  [['call.wav', '--doubt', 'loud'], '"loud" is not a way to show doubt'],
  [[], 'Name the recording'],
  [['a.wav', 'b.wav'], 'one recording at a time'],
])('refuses %j with a sentence', (args, sentence) => {
  expect(() => parseTranscribeOptions(args)).toThrow(sentence)
})
