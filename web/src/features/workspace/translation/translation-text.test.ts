import { expect, it } from 'vitest'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import { makeMonoCall } from '../../../testing/mono-call.tsx'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { createDescriber } from '../speakers/describe-speaker.ts'
import { translationText } from './translation-text.ts'

const mono = makeMonoCall().transcription ?? makeTranscript([])
const stereo = makeTranscript([makeSegment('سلام')])
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

it('names the speakers of each turn and the error of a line that failed', () => {
  const describe = createDescriber(mono, { names: { 'Speaker B': 'احمد' }, merged: {} })
  expect(translationText(translation, mono, describe)).toBe(
    'Speaker A:\none\n\nاحمد:\ntwo\n\nSpeaker A:\nError: Too long',
  )
})

it('returns the plain text where the transcript names no speakers', () => {
  expect(translationText(translation, stereo, createDescriber(stereo, noSpeakerCorrections))).toBe('as a whole')
})
