import { expect, test } from 'vitest'
import { joinSpeakerTranslation, joinTranslatedTexts } from './speaker-translation.ts'
import type { TranslatedSegment } from './translation.ts'

const done: TranslatedSegment = { start: 0, end: 1, text: 'eins', translated_text: 'one', error: null }
const failed = { ...done, text: 'zwei', translated_text: '', error: 'The model failed' }
const echoed = { ...failed, error: 'It repeated the text', not_translated: { reason: 'echo' as const } }

test('the translation of a speaker is that of the lines, with a mark where one failed', () => {
  expect(joinSpeakerTranslation('Speaker A', [done, failed, echoed])).toEqual({
    speaker: 'Speaker A',
    translated_text: 'one […] [not translated: zwei]',
    error: null,
    segments: [done, failed, echoed],
  })
})

test('a speaker of whom nothing was translated has the first reason', () => {
  expect(joinSpeakerTranslation('Speaker A', [failed, echoed])).toMatchObject({
    translated_text: '',
    error: 'The model failed',
  })
})

test('a silent speaker has an empty translation', () => {
  expect(joinSpeakerTranslation('Speaker A', [])).toMatchObject({ translated_text: '', error: null })
})

test('texts are joined as asked', () => {
  expect(joinTranslatedTexts([done, done], '\n')).toBe('one\none')
})
