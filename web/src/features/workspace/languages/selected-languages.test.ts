import { expect, it } from 'vitest'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { partialLineLanguage, toLanguageRequest, initialLanguages, selectPartByPart } from './selected-languages.ts'

const stereo = makeRecording(null)
const right = makeSegment('hello', { speaker: 'Speaker B', channel: 1 })

it.each([
  [{ language: 'ps', right: 'same' }, 0, { language: 'multi', right: 'ps' }],
  [{ language: 'ps', right: 'en' }, 0, { language: 'multi', right: 'en' }],
  [{ language: 'ps', right: 'same' }, 1, { language: 'ps', right: 'multi' }],
  [{ language: 'ps', right: 'same' }, undefined, { language: 'multi', right: 'same' }],
])('of %j, channel %s part by part leaves the other as it is', (picked, channel, expected) => {
  expect(selectPartByPart(picked, channel)).toEqual(expected)
})

it('a channel part by part is asked for beside the other', () => {
  expect(toLanguageRequest(stereo, { language: 'ps', right: 'multi' })).toEqual({
    language: 'ps',
    channel_languages: ['ps', 'multi'],
  })
  expect(toLanguageRequest(stereo, { language: 'multi', right: 'same' })).toEqual({ language: 'multi' })
})

it('the pickers begin with what was last heard, channel by channel', () => {
  expect(initialLanguages(stereo)).toEqual({ language: 'ps', right: 'same' })
  expect(initialLanguages(makeRecording(makeTranscript([right])))).toEqual({ language: 'ps', right: 'en' })
  const changing = makeTranscript([makeSegment('سلام'), { ...right, language: 'ur' }])
  expect(initialLanguages(makeRecording(changing))).toEqual({ language: 'ps', right: 'multi' })
})

it.each([
  [{ ...right, language: 'ur' }, { language: 'ps', right: 'multi' }, 'ur'],
  [right, { language: 'ps', right: 'en' }, 'en'],
  [right, { language: 'ps', right: 'same' }, 'ps'],
  [right, { language: 'ps', right: 'auto' }, null],
])('a line that arrives is in its own language, else in that of its channel', (line, picked, expected) => {
  expect(partialLineLanguage(line, picked)).toBe(expected)
})
