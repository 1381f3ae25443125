import { expect, it } from 'vitest'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import { makeMonoCall } from '../../../testing/mono-call.tsx'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { createDescriber } from '../speakers/describe-speaker.ts'
import { transcriptText } from './transcript-text.ts'

const mono = makeMonoCall().transcription ?? makeTranscript([])
const right = makeSegment('good morning', { start: 2, end: 3, speaker: 'Speaker B', channel: 1 })
const stereo = makeTranscript([makeSegment('سلام'), right, { ...right, start: 4, end: 5, text: 'all well' }])
const names = { 'Speaker B': 'احمد' }

it('returns a call of two channels as it is until a speaker is named', () => {
  expect(transcriptText(stereo, createDescriber(stereo, noSpeakerCorrections))).toBe(stereo.transcription)
  expect(transcriptText(stereo, createDescriber(stereo, { names, merged: {} }))).toBe(
    'Left Channel:\nسلام\n\nاحمد:\ngood morning all well',
  )
})

it('returns a call of several voices turn by turn', () => {
  expect(transcriptText(mono, createDescriber(mono, { names, merged: { 'Speaker C': 'Speaker B' } }))).toBe(
    'Speaker A:\ngood morning\n\nاحمد:\ngood morning to you is the bridge open\n\nSpeaker A:\nit is',
  )
})
