import { expect, it } from 'vitest'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { makeTranscript } from '../../../testing/transcripts.ts'
import { describeSeparation } from './separation.ts'

const describeTranscript = (changes: Partial<TranscriptionResult>) => describeSeparation(makeTranscript([], changes))

it('says that there is one voice where nobody was told apart', () => {
  expect(describeTranscript({ speaker_transcriptions: [] })).toBe('One voice')
})

it('says that channels tell the speakers apart unless voices did', () => {
  expect(describeTranscript({})).toBe('Speakers separated by channel')
  expect(describeTranscript({ speaker_separation: { by: 'channels' } })).toBe('Speakers separated by channel')
})

it('names the band in which voices were told apart, where it is known', () => {
  const byVoices = (band?: 'telephone' | 'wide') => describeTranscript({ speaker_separation: { by: 'voices', band } })
  expect(byVoices('telephone')).toBe('Speakers separated by voice, telephone band')
  expect(byVoices('wide')).toBe('Speakers separated by voice, wide band')
  expect(byVoices()).toBe('Speakers separated by voice')
})
