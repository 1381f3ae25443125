import { expect, test } from 'vitest'
import { applyLineEdits } from './line-edits.ts'
import type { Segment, TranscriptionResult, Word } from './transcription.ts'
import { listCorrections, undoCorrection } from './word-corrections.ts'

const word = (text: string, correction?: Word['correction']): Word => ({
  text,
  start: 0,
  end: 1,
  ...(correction && { correction }),
})
const words = [
  word('from'),
  word('“Spin', { heard: 'spinboldak', written: 'Spin Boldak' }),
  word('Boldak”'),
  word('to'),
  word('Qandahar.', { heard: 'can the heart', written: 'Qandahar' }),
]
const segment: Segment = { start: 0, end: 5, text: 'from “Spin Boldak” to Qandahar.', words }

test('corrections have their places, without the punctuation around them', () => {
  const found = listCorrections(segment)
  expect(found.map(({ start, end }) => segment.text.slice(start, end))).toEqual(['Spin Boldak', 'Qandahar'])
  expect(found.map(({ heard }) => heard)).toEqual(['spinboldak', 'can the heart'])
})

test('undoing one writes what was heard, and leaves the rest', () => {
  const [first, second] = listCorrections(segment)
  expect(first && undoCorrection(segment.text, first)).toBe('from “spinboldak” to Qandahar.')
  expect(second && undoCorrection(segment.text, second)).toBe('from “Spin Boldak” to can the heart.')
})

test('what a person wrote otherwise is no correction any more; the others of the line are', () => {
  const transcription = { segments: [segment], speaker_transcriptions: [] } as unknown as TranscriptionResult
  const correctionsOf = (text: string) => {
    const edits = { revision: 1, edits: [{ from: [0], lines: [{ start: 0, end: 5, text }], revision: 1 }] }
    return applyLineEdits(transcription, edits).segments.flatMap((line) =>
      listCorrections(line).map(({ written }) => written),
    )
  }
  expect(correctionsOf('from “spinboldak” to Qandahar.')).toEqual(['Qandahar'])
  expect(correctionsOf('from “Spin City” to Qandahar.')).toEqual(['Qandahar'])
  expect(correctionsOf('now from “Spin Boldak” to Kabul.')).toEqual(['Spin Boldak'])
})

test('a segment without words has none', () => {
  expect(listCorrections({ text: 'from Qandahar' })).toEqual([])
})
