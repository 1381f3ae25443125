import { expect, test } from 'vitest'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment, TranscriptionWarning } from '#contract/transcription.ts'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { buildLines } from '../state/build-lines.ts'
import { createDescriber } from '../speakers/describe-speaker.ts'
import { findTalkOver, lineAt, placeLines } from './map-lines.ts'

function place(segments: Segment[], { laneCount = 2, warnings = [] as TranscriptionWarning[] } = {}) {
  const transcription = makeTranscript(segments, { warnings })
  const describe = createDescriber(transcription, noSpeakerCorrections)
  const editable = segments.map((segment, index) => ({ ...segment, from: [index] }))
  const rows = buildLines({ segments: editable, transcription, translation: null, find: () => [], partial: [] })
  return placeLines(rows, { transcription, describe, laneCount })
}

const left = (start: number, end: number, more: Partial<Segment> = {}) => makeSegment('left', { start, end, ...more })
const right = (start: number, end: number) => makeSegment('right', { start, end, channel: 1, speaker: 'Speaker B' })

test('each line is on the lane of its channel, in the hue of its speaker', () => {
  expect(place([left(0, 2), right(2, 4)])).toMatchObject([
    { from: 0, to: 2, lane: 0, hue: 0 },
    { from: 2, to: 4, lane: 1, hue: 1 },
  ])
})

test('voices of one channel share its lane, though their lines name no channel', () => {
  const voice = (speaker: string): Segment => ({ start: 0, end: 1, text: 'x', speaker })
  const lines = place([voice('Speaker B'), voice('Speaker C')])
  expect(lines.map(({ lane, hue }) => [lane, hue])).toEqual([
    [1, 1],
    [0, 2],
  ])
})

test('a mono recording has one lane', () => {
  expect(place([left(0, 2), right(2, 4)], { laneCount: 1 }).map(({ lane }) => lane)).toEqual([0, 0])
})

test('passages without text are no lines', () => {
  const warnings = [{ code: 'omitted_speech', message: 'Not understood', start: 3, end: 9, channel: 0 }]
  expect(place([left(0, 2)], { warnings })).toHaveLength(1)
})

test('lines of two channels that overlap are talked over, shorter overlaps are turns', () => {
  expect(findTalkOver(place([left(0, 3), right(2, 4), left(3.6, 6)]))).toEqual([{ from: 2, to: 3, lane: null }])
})

test('an overlap is found across lines that end in between, and overlaps that touch are one', () => {
  const lines = place([left(0, 10), left(1, 2), right(3, 5), right(5, 6), right(9, 12)])
  expect(findTalkOver(lines)).toEqual([
    { from: 3, to: 6, lane: null },
    { from: 9, to: 10, lane: null },
  ])
})

test('a line that another voice of its channel overlaps is talked over on its lane', () => {
  expect(findTalkOver(place([left(4, 7, { overlap: true })]))).toEqual([{ from: 4, to: 7, lane: 0 }])
})

test('the line at a time is that of the lane, else of another one, else none', () => {
  const lines = place([left(0, 3), right(2, 4)])
  expect(lineAt(lines, 2.5, 1)?.line.segment?.text).toBe('right')
  expect(lineAt(lines, 2.5)?.line.segment?.text).toBe('left')
  expect(lineAt(lines, 3.5, 0)?.line.segment?.text).toBe('right')
  expect(lineAt(lines, 4)).toBeUndefined()
})
