import { expect, it } from 'vitest'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import { makeMonoCall } from '../../../testing/mono-call.tsx'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { createDescriber } from './describe-speaker.ts'
import { transcriptText, translationText } from './speaker-text.ts'

const mono = makeMonoCall().transcription ?? makeTranscript([])
const right = makeSegment('good morning', { start: 2, end: 3, speaker: 'Speaker B', channel: 1 })
const stereo = makeTranscript([makeSegment('سلام'), right, { ...right, start: 4, end: 5, text: 'all well' }])
const names = { 'Speaker B': 'احمد' }

it('a call of two channels is its text until somebody is named', () => {
  expect(transcriptText(stereo, createDescriber(stereo, noSpeakerCorrections))).toBe(stereo.transcription)
  expect(transcriptText(stereo, createDescriber(stereo, { names, merged: {} }))).toBe(
    'Left Channel:\nسلام\n\nاحمد:\ngood morning all well',
  )
})

it('a call of several voices stands turn by turn', () => {
  expect(transcriptText(mono, createDescriber(mono, { names, merged: { 'Speaker C': 'Speaker B' } }))).toBe(
    'Speaker A:\ngood morning\n\nاحمد:\ngood morning to you is the bridge open\n\nSpeaker A:\nit is',
  )
})

it('a translation has the names too, and says what failed', () => {
  const line = (start: number, translated_text: string, error: string | null = null) => {
    return { start, end: start + 1, text: 'x', translated_text, error }
  }
  const translation = {
    translated_text: 'as a whole',
    original_text: '',
    source_language: 'ps',
    target_language: 'en',
    num_speakers: 2,
    speaker_translations: [
      { speaker: 'Speaker A', translated_text: '', error: null, segments: [line(1, 'one'), line(5, '', 'Too long')] },
      { speaker: 'Speaker B', translated_text: '', error: null, segments: [line(3, 'two')] },
    ],
    segments: [],
    model: 'test',
  }
  expect(translationText(translation, mono, createDescriber(mono, { names, merged: {} }))).toBe(
    'Speaker A:\none\n\nاحمد:\ntwo\n\nSpeaker A:\nError: Too long',
  )
  expect(translationText(translation, stereo, createDescriber(stereo, noSpeakerCorrections))).toBe('as a whole')
})
