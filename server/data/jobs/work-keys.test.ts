import { expect, test } from 'vitest'
import { diarizationKey, transcriptionKey, type TranscriptionChoice } from './work-keys.ts'

const choice: TranscriptionChoice = {
  language: 'ps',
  channelLanguages: null,
  names: [],
  speakerCount: null,
  splitVoices: [],
  model: null,
}

test('the key of a transcription with the defaults is its recording and languages', () => {
  expect(transcriptionKey('id', choice)).toBe('transcribe:id:ps')
  expect(transcriptionKey('id', { ...choice, channelLanguages: ['ps', 'multi'] })).toBe('transcribe:id:ps+multi')
  expect(transcriptionKey('id', { ...choice, splitVoices: [false, false] })).toBe('transcribe:id:ps')
})

test('a transcription with other names is other work', () => {
  const lists = [[], ['Ahmad'], ['Ahmad', 'Kandahar'], ['Kandahar', 'Ahmad'], ['Ahmad, Kandahar']]
  const keys = lists.map((names) => transcriptionKey('id', { ...choice, names }))
  expect(new Set(keys).size).toBe(lists.length)
  expect(transcriptionKey('id', { ...choice, names: ['Ahmad'] })).toBe(keys[1])
})

test('so is one with another number of speakers, or another channel that is split', () => {
  const keys = [
    choice,
    { ...choice, speakerCount: 2 },
    { ...choice, speakerCount: 3 },
    { ...choice, splitVoices: [true] },
    { ...choice, splitVoices: [false, true] },
    { ...choice, splitVoices: [true, true] },
  ].map((each) => transcriptionKey('id', each))
  expect(new Set(keys).size).toBe(keys.length)
  expect(transcriptionKey('id', { ...choice, splitVoices: [true, false] })).toBe(keys[3])
})

test('so is one by another model', () => {
  expect(transcriptionKey('id', { ...choice, model: 'base' })).toBe('transcribe:id:ps:model=base')
})

test('the key of a long list is short and has no name in it', () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(60, 'x'))
  const key = transcriptionKey('id', { ...choice, names, speakerCount: 8, splitVoices: [true, true] })
  expect(key.length).toBeLessThan(120)
  expect(key).not.toContain('xx')
})

test('a dialogue has the key of its languages and speakers', () => {
  const words = { ...choice, transcriptionId: null }
  expect(diarizationKey('id', words, choice)).toBe('diarize:id:ps')
  expect(diarizationKey('id', { ...words, model: 'base' }, choice)).toBe('diarize:id:ps:model=base')
  expect(diarizationKey('id', { ...words, transcriptionId: 't' }, choice)).toBe('diarize:id:ps:of=t')
  expect(diarizationKey('id', null, choice)).toBe('diarize:id:without-text')
  expect(diarizationKey('id', null, { ...choice, speakerCount: 2 })).toBe('diarize:id:without-text:speakers=2')
})
