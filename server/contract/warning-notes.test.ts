import { expect, test } from 'vitest'
import { listWarningNotes } from './warning-notes.ts'

const bleed = (channel: number, start: number) => ({
  code: 'bleed',
  message: `Bleed at ${start}.`,
  start,
  end: start + 1,
  channel,
})
const other = { code: 'demo_model', message: 'This is the demo model.' }

test('has the sentence of each warning', () => {
  expect(listWarningNotes([other, bleed(0, 1), bleed(0, 5), bleed(1, 7), bleed(1, 9)])).toEqual([
    'This is the demo model.',
    'Bleed at 1.',
    'Bleed at 5.',
    'Bleed at 7.',
    'Bleed at 9.',
  ])
})

test('tells bleed in many passages of a channel in one sentence', () => {
  const many = Array.from({ length: 40 }, (_, index) => bleed(1, index * 10))
  expect(listWarningNotes([other, ...many, bleed(0, 3)])).toEqual([
    'This is the demo model.',
    'The right channel holds only the voice of the left channel (bleed) in 40 passages, which were left out.',
    'Bleed at 3.',
  ])
})
