import { expect, test } from 'vitest'
import { diarizationKey, transcriptionKey, type HeardLanguages } from './work-keys.ts'

const languages: HeardLanguages = { language: 'ps', channelLanguages: null }

test('without names the key of a transcription is its recording and languages', () => {
  expect(transcriptionKey('id', languages)).toBe('transcribe:id:ps')
  expect(transcriptionKey('id', languages, [])).toBe('transcribe:id:ps')
  expect(transcriptionKey('id', { ...languages, channelLanguages: ['ps', 'multi'] })).toBe('transcribe:id:ps+multi')
})

test('a transcription with other names is other work', () => {
  const lists = [[], ['Ahmad'], ['Ahmad', 'Kandahar'], ['Kandahar', 'Ahmad'], ['Ahmad, Kandahar']]
  const keys = lists.map((names) => transcriptionKey('id', languages, names))
  expect(new Set(keys).size).toBe(lists.length)
  expect(transcriptionKey('id', languages, ['Ahmad'])).toBe(keys[1])
})

test('the key of a long list is short and has no name in it', () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(60, 'x'))
  const key = transcriptionKey('id', languages, names)
  expect(key.length).toBeLessThan(120)
  expect(key).not.toContain('xx')
})

test('a dialogue has the key of its languages', () => {
  expect(diarizationKey('id', languages)).toBe('diarize:id:ps')
  expect(diarizationKey('id', null)).toBe('diarize:id:without-text')
})
