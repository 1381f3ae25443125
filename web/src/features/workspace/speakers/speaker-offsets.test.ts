import { expect, it } from 'vitest'
import { applySpeakerCorrections } from '#contract/speaker-corrections.ts'
import { makeMonoCall } from '../../../testing/mono-call.tsx'
import { makeTranscript } from '../../../testing/transcripts.ts'
import { createSpeakerFinder } from './speaker-offsets.ts'

const call = makeMonoCall().transcription ?? makeTranscript([])

it('returns who says a word of the text, also after a merge', () => {
  const merged = applySpeakerCorrections(call, { names: {}, merged: { 'Speaker C': 'Speaker B' }, moved: [] })
  for (const [transcription, speaker] of [
    [call, 'Speaker C'],
    [merged, 'Speaker B'],
  ] as const) {
    const speakerAt = createSpeakerFinder(transcription)
    expect(speakerAt(transcription.transcription.indexOf('bridge'))).toBe(speaker)
    expect(speakerAt(0)).toBe('Speaker A')
  }
})

it('returns undefined for a text that is not that of the lines', () => {
  expect(createSpeakerFinder({ ...call, transcription: 'something else' })(3)).toBeUndefined()
})
