import { expect, it } from 'vitest'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { initialLanguages, partialLineLanguage, selectPartByPart, toLanguageRequest } from './selected-languages.ts'

const stereo = makeRecording(null)
const right = makeSegment('hello', { speaker: 'Speaker B', channel: 1 })

it.each([
  [{ language: 'ps', rightLanguage: 'same' }, 0, { language: 'multi', rightLanguage: 'ps' }],
  [{ language: 'ps', rightLanguage: 'en' }, 0, { language: 'multi', rightLanguage: 'en' }],
  [{ language: 'ps', rightLanguage: 'same' }, 1, { language: 'ps', rightLanguage: 'multi' }],
  [{ language: 'ps', rightLanguage: 'same' }, undefined, { language: 'multi', rightLanguage: 'same' }],
])('selecting part by part, of %j for channel %s, leaves the other channel as it is', (selected, channel, expected) => {
  expect(selectPartByPart(selected, channel)).toEqual(expected)
})

it('requests a language for each channel where they differ', () => {
  expect(toLanguageRequest(stereo, { language: 'ps', rightLanguage: 'multi' })).toEqual({
    language: 'ps',
    channel_languages: ['ps', 'multi'],
  })
  expect(toLanguageRequest(stereo, { language: 'multi', rightLanguage: 'same' })).toEqual({ language: 'multi' })
})

it('initially selects the languages of the last transcription, channel by channel', () => {
  expect(initialLanguages(stereo)).toEqual({ language: 'ps', rightLanguage: 'same' })
  expect(initialLanguages(makeRecording(makeTranscript([right])))).toEqual({ language: 'ps', rightLanguage: 'en' })
  const changing = makeTranscript([makeSegment('سلام'), { ...right, language: 'ur' }])
  expect(initialLanguages(makeRecording(changing))).toEqual({ language: 'ps', rightLanguage: 'multi' })
})

it.each([
  [{ ...right, language: 'ur' }, { language: 'ps', rightLanguage: 'multi' }, 'ur'],
  [right, { language: 'ps', rightLanguage: 'en' }, 'en'],
  [right, { language: 'ps', rightLanguage: 'same' }, 'ps'],
  [right, { language: 'ps', rightLanguage: 'auto' }, null],
])('a partial line is in its own language, else in that of its channel', (line, selected, expected) => {
  expect(partialLineLanguage(line, selected)).toBe(expected)
})
