import { expect, it } from 'vitest'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import { mergedLabels, mergeSpeakers, moveLine, renameSpeaker, separateSpeaker } from './edit-corrections.ts'

const none = noSpeakerCorrections

it('trims a name, and removes it where it is empty', () => {
  const named = renameSpeaker(none, 'Speaker A', ' Ahmad ')
  expect(named.names).toEqual({ 'Speaker A': 'Ahmad' })
  expect(renameSpeaker(named, 'Speaker A', ' ')).toEqual(none)
})

it('keeps the name of the speaker that is merged into', () => {
  const both = renameSpeaker(renameSpeaker(none, 'Speaker A', 'Ahmad'), 'Speaker B', 'Gul')
  expect(mergeSpeakers(both, 'Speaker B', 'Speaker A').names).toEqual({ 'Speaker A': 'Ahmad' })
})

it('lists and takes back merges of merged speakers one by one', () => {
  const chain = mergeSpeakers(mergeSpeakers(none, 'Speaker C', 'Speaker B'), 'Speaker B', 'Speaker A')
  expect(mergedLabels(chain, 'Speaker A')).toEqual(['Speaker B', 'Speaker C'])
  expect(mergedLabels(separateSpeaker(chain, 'Speaker B'), 'Speaker B')).toEqual(['Speaker C'])
})

it('stores a line moved twice once, and a line moved back not at all', () => {
  const line = { start: 1, end: 2, found: 'Speaker A' }
  const twice = moveLine(moveLine(none, line, 'Speaker B'), line, 'Speaker C')
  expect(twice.moved).toEqual([{ start: 1, end: 2, speaker: 'Speaker C' }])
  expect(moveLine(twice, line, 'Speaker A')).toEqual(none)
})
