import { expect, it } from 'vitest'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import { makeMonoCall } from '../../../testing/mono-call.tsx'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { createDescriber } from './describe-speaker.ts'

const { transcription: mono } = makeMonoCall()
const stereo = makeTranscript([makeSegment('one'), makeSegment('two', { speaker: 'Speaker B', channel: 1 })])

it('names channels by their side until a person names them', () => {
  const describe = createDescriber(stereo, { names: { 'Speaker B': 'Ahmad' }, merged: {} })
  expect(describe('Speaker A')).toMatchObject({ letter: 'A', name: 'Left Channel', isNameGiven: false, hue: 0 })
  expect(describe('Speaker B')).toMatchObject({ letter: 'B', name: 'Ahmad', isNameGiven: true, hue: 1 })
  expect(describe('Speaker C')).toMatchObject({ letter: 'C', name: 'Speaker C', hue: 2 })
  expect(describe(undefined, 1)).toMatchObject({ letter: 'B', name: 'Ahmad' })
})

it('names the voices of one channel by their labels', () => {
  expect(createDescriber(mono, noSpeakerCorrections)('Speaker A')).toMatchObject({ name: 'Speaker A', hue: 0 })
})

it('describes a merged voice as the one it was merged into', () => {
  const describe = createDescriber(mono, { names: { 'Speaker A': 'Gul' }, merged: { 'Speaker C': 'Speaker A' } })
  expect(describe('Speaker C')).toMatchObject({ label: 'Speaker A', letter: 'A', name: 'Gul' })
})

it('assigns eight hues in turn, and describes an unknown speaker without a label', () => {
  const describe = createDescriber(mono, noSpeakerCorrections)
  expect([...'ABCDEFGHI'].map((letter) => describe(`Speaker ${letter}`).hue)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0])
  expect(describe(undefined)).toMatchObject({ label: null, letter: null, name: '' })
})
