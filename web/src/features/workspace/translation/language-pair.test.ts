import { expect, it } from 'vitest'
import { makeTranscript } from '../../../testing/transcripts.ts'
import { languagePair } from './language-pair.ts'

const pair = { source_language: 'fa', target_language: 'en' }
const segment = { start: 0, end: 1, text: 'salaam', channel: 0 }

it('names the language of the translation where there is no transcript, or none of a known language', () => {
  expect(languagePair(pair, null)).toBe('Persian → English')
  const unknown = makeTranscript([], { detected_language: null, speaker_transcriptions: [] })
  expect(languagePair(pair, unknown)).toBe('Persian → English')
})

it('names the languages of the speakers who say something, each once', () => {
  expect(languagePair(pair, makeTranscript([segment]))).toBe('Pashto → English')
  const both = makeTranscript([segment, { ...segment, start: 1, end: 2, channel: 1 }])
  expect(languagePair(pair, both)).toBe('Pashto, English → English')
})

it('names the language of the whole where no speakers were told apart, and those of lines besides', () => {
  const lines = [segment, { ...segment, start: 1, end: 2, language: 'ur' }]
  const mono = makeTranscript(lines, { speaker_transcriptions: [], detected_language: 'ps' })
  expect(languagePair(pair, mono)).toBe('Pashto, Urdu → English')
})
