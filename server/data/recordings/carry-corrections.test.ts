import { expect, test } from 'vitest'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment } from '#contract/transcription.ts'
import { carryCorrections } from './carry-corrections.ts'

const [a, b, c] = ['Speaker A', 'Speaker B', 'Speaker C']

type Line = [speaker: string, start: number, end: number]

/** Returns a transcript of these lines; `silent` lists channels without speech. */
function makeTranscript(lines: Line[], silent: string[] = []) {
  const segments = lines.map(([speaker, start, end]): Segment => ({ speaker, start, end, text: 'x' }))
  const speakers = [...new Set([...lines.map(([speaker]) => speaker), ...silent])]
  return {
    segments,
    speaker_transcriptions: speakers.map((speaker) => {
      const own = segments.filter((segment) => segment.speaker === speaker)
      const texts = { transcription: '', detected_language: null, language_probability: null }
      return { speaker, channel: 0, segment_count: own.length, segments: own, ...texts }
    }),
  }
}

function carryNames(names: Record<string, string>, before: ReturnType<typeof makeTranscript>, after: typeof before) {
  return carryCorrections({ ...noSpeakerCorrections, names }, before, after).names
}

test('a name goes to the speaker who speaks at the same times', () => {
  const before = makeTranscript([
    [a, 0, 5],
    [b, 5, 9],
  ])
  const after = makeTranscript([
    [b, 0.2, 4.8],
    [a, 5.1, 9.3],
  ])
  expect(carryNames({ [a]: 'Karim', [b]: 'Layla' }, before, after)).toEqual({ [b]: 'Karim', [a]: 'Layla' })
})

test('where one speaker became two, the one with most of the time has the name', () => {
  const after = makeTranscript([
    [a, 0, 3],
    [b, 3, 10],
  ])
  expect(carryNames({ [a]: 'Karim' }, makeTranscript([[a, 0, 10]]), after)).toEqual({ [b]: 'Karim' })
})

test('where two became one, the name of who spoke most stays, also where that one has none', () => {
  const before = makeTranscript([
    [a, 0, 8],
    [b, 8, 10],
  ])
  const after = makeTranscript([[a, 0, 10]])
  expect(carryNames({ [a]: 'Karim', [b]: 'Layla' }, before, after)).toEqual({ [a]: 'Karim' })
  expect(carryNames({ [b]: 'Layla' }, before, after)).toEqual({})
})

test('a speaker who no longer speaks loses the name', () => {
  expect(
    carryNames(
      { [b]: 'Layla' },
      makeTranscript([
        [a, 0, 5],
        [b, 5, 6],
      ]),
      makeTranscript([[a, 0, 5]]),
    ),
  ).toEqual({})
})

test('a silent channel keeps its name', () => {
  const before = makeTranscript([[a, 0, 5]], [b])
  expect(carryNames({ [b]: 'Layla' }, before, makeTranscript([[a, 0, 5]], [b]))).toEqual({ [b]: 'Layla' })
  expect(carryNames({ [b]: 'Layla' }, before, makeTranscript([[b, 0, 5]]))).toEqual({})
})

test('a merge stays where both are found again, and goes where they are one already', () => {
  const before = makeTranscript([
    [a, 0, 5],
    [b, 5, 10],
    [c, 10, 12],
  ])
  const corrections = { ...noSpeakerCorrections, merged: { [c]: a } }
  const swapped = makeTranscript([
    [b, 0, 5],
    [c, 5, 10],
    [a, 10, 12],
  ])
  expect(carryCorrections(corrections, before, swapped).merged).toEqual({ [a]: b })
  const united = makeTranscript([
    [a, 0, 5],
    [b, 5, 10],
    [a, 10, 12],
  ])
  expect(carryCorrections(corrections, before, united).merged).toEqual({})
})

test('a moved line is found by at least half of the time of both', () => {
  const before = makeTranscript([
    [a, 0, 10],
    [a, 10, 14],
    [b, 14, 30],
  ])
  const corrections = { ...noSpeakerCorrections, moved: [{ start: 10, end: 14, speaker: b }] }
  const moved = (lines: Line[]) => carryCorrections(corrections, before, makeTranscript(lines)).moved
  const rest: Line[] = [
    [a, 0, 10],
    [b, 14, 30],
  ]
  expect(moved([...rest, [a, 10.5, 14.2]])).toEqual([{ start: 10.5, end: 14.2, speaker: b }])
  expect(moved([...rest, [a, 10, 12], [a, 12, 14]])).toHaveLength(2)
  expect(moved([...rest, [a, 10, 11.5]])).toEqual([])
  expect(moved([...rest, [a, 10, 19]])).toEqual([])
  expect(moved([...rest, [b, 10, 14]])).toEqual([])
})
