import { expect, it } from 'vitest'
import type { TranscriptionRequest } from '#contract/versions.ts'
import { describeLanguages, describeOptions } from './describe-version.ts'

const request: TranscriptionRequest = {
  language: 'ps',
  channel_languages: null,
  names: [],
  speaker_count: null,
  split_voices: [],
  model: null,
}

it('says nothing of options that were not asked for', () => {
  expect(describeOptions(request)).toEqual([])
  expect(describeOptions({ ...request, split_voices: [false, false] })).toEqual([])
})

it('names the options that were asked for', () => {
  expect(describeOptions({ ...request, speaker_count: 1, names: ['Zarghuna', 'Kabul'] })).toEqual([
    '1 speaker',
    'likely names: Zarghuna, Kabul',
  ])
  expect(describeOptions({ ...request, speaker_count: 3, split_voices: [false, true] })).toEqual([
    '3 speakers',
    'voices of a channel separated',
  ])
})

it('names one language for both channels, and two where they differ', () => {
  expect(describeLanguages(request)).toBe('Pashto')
  expect(describeLanguages({ ...request, channel_languages: ['ps', 'ps'] })).toBe('Pashto')
  expect(describeLanguages({ ...request, channel_languages: ['ps', 'en'] })).toBe(
    'Pashto on the left, English on the right',
  )
})

it('says whether a language was detected for the whole or part by part', () => {
  expect(describeLanguages({ ...request, language: 'auto' })).toBe('Detected language')
  expect(describeLanguages({ ...request, language: 'multi' })).toBe('Several languages')
})
