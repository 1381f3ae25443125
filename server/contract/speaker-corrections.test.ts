import { expect, test } from 'vitest'
import { TranscriptionResult } from './transcription.ts'
import type { Segment } from './transcription.ts'
import {
  applySpeakerCorrections,
  hasMergeCycle,
  mergedInto,
  noSpeakerCorrections,
  speakerName,
  SpeakerCorrections,
} from './speaker-corrections.ts'

const [a, b, c] = ['Speaker A', 'Speaker B', 'Speaker C']

/** Returns a mono call in which the labels speak in turn, one two-second line each. */
function makeCall(labels: string[], overrides: Partial<TranscriptionResult> = {}): TranscriptionResult {
  const segments = labels.map((speaker, index): Segment => {
    return { start: index * 2, end: index * 2 + 1.5, text: `line ${index}`, speaker }
  })
  return {
    transcription_id: null,
    transcription: '',
    detected_language: 'ps',
    language_probability: 0.9,
    num_speakers: new Set(labels).size,
    segments,
    speaker_transcriptions: [...new Set(labels)].map((speaker) => {
      const own = segments.filter((segment) => segment.speaker === speaker)
      return {
        speaker,
        channel: 0,
        transcription: own.map(({ text }) => text).join(' '),
        segment_count: own.length,
        detected_language: 'ps',
        language_probability: 0.9,
        segments: own,
      }
    }),
    speaker_separation: { by: 'voices', band: 'telephone' },
    duration: labels.length * 2,
    model: 'test',
    warnings: [],
    ...overrides,
  }
}

function speakersOf({ segments }: TranscriptionResult) {
  return segments.map(({ speaker }) => speaker)
}

test('returns a transcription without merges and moves unchanged', () => {
  const call = makeCall([a, b])
  expect(applySpeakerCorrections(call, { ...noSpeakerCorrections, names: { [a]: 'Karim' } })).toBe(call)
})

test('assigns the lines of a merged speaker to its target, and counts one speaker less', () => {
  const corrected = applySpeakerCorrections(makeCall([a, b, c, a]), { ...noSpeakerCorrections, merged: { [c]: a } })
  expect(speakersOf(corrected)).toEqual([a, b, a, a])
  expect(corrected.num_speakers).toBe(2)
  expect(corrected.speaker_transcriptions.map(({ speaker, segment_count }) => [speaker, segment_count])).toEqual([
    [a, 3],
    [b, 1],
  ])
  expect(corrected.transcription).toBe('line 0\nline 1\nline 2 line 3')
  expect(TranscriptionResult.parse(corrected)).toEqual(corrected)
})

test('follows a merge of a merge', () => {
  const corrections = { ...noSpeakerCorrections, merged: { [c]: b, [b]: a } }
  expect(speakersOf(applySpeakerCorrections(makeCall([a, b, c]), corrections))).toEqual([a, a, a])
})

test('moves one line, and drops a speaker that has none left', () => {
  const corrections = { ...noSpeakerCorrections, moved: [{ start: 4, end: 5.5, speaker: a }] }
  const corrected = applySpeakerCorrections(makeCall([a, b, c]), corrections)
  expect(speakersOf(corrected)).toEqual([a, b, a])
  expect(corrected.speaker_transcriptions.map(({ speaker }) => speaker)).toEqual([a, b])
})

test('moves a line to a speaker that is merged into another', () => {
  const corrections = { names: {}, merged: { [c]: b }, moved: [{ start: 0, end: 1.5, speaker: c }] }
  expect(speakersOf(applySpeakerCorrections(makeCall([a, a, b, c]), corrections))).toEqual([b, a, b, b])
})

test('moves no line with other times', () => {
  const corrections = { ...noSpeakerCorrections, moved: [{ start: 4, end: 5.4, speaker: a }] }
  expect(speakersOf(applySpeakerCorrections(makeCall([a, b, c]), corrections))).toEqual([a, b, c])
})

test('moves the line of the other speaker when two lines have the same times', () => {
  const call = makeCall([a, b])
  const segments = call.segments.map((segment) => ({ ...segment, start: 0, end: 1.5 }))
  const corrections = { ...noSpeakerCorrections, moved: [{ start: 0, end: 1.5, speaker: a }] }
  expect(speakersOf(applySpeakerCorrections({ ...call, segments }, corrections))).toEqual([a, a])
})

test('keeps the language of a moved line, and the position of a silent channel', () => {
  const call = makeCall([a, b])
  const [first, second] = call.speaker_transcriptions
  if (!first || !second) throw new Error('no speakers')
  const silent = { ...second, speaker: c, segment_count: 0, segments: [], transcription: '' }
  const speakers = [first, { ...second, detected_language: 'en' }, silent]
  const corrections = { ...noSpeakerCorrections, moved: [{ start: 2, end: 3.5, speaker: a }] }
  const corrected = applySpeakerCorrections({ ...call, speaker_transcriptions: speakers }, corrections)
  expect(corrected.segments.map(({ speaker, language }) => [speaker, language])).toEqual([
    [a, undefined],
    [a, 'en'],
  ])
  expect(corrected.speaker_transcriptions.map(({ speaker }) => speaker)).toEqual([a, c])
})

test('returns a recording of one voice unchanged', () => {
  const call = makeCall([a])
  const segments = call.segments.map(({ speaker: _speaker, ...segment }) => segment)
  const single = { ...call, segments }
  expect(applySpeakerCorrections(single, { ...noSpeakerCorrections, merged: { [b]: a } })).toBe(single)
})

test('returns the name of a speaker, and of the target for a merged one', () => {
  const corrections = { names: { [a]: 'Karim', [c]: 'Nobody' }, merged: { [c]: a } }
  expect([a, b, c].map((label) => speakerName(label, corrections))).toEqual(['Karim', b, 'Karim'])
  expect(speakerName('toString', corrections)).toBe('toString')
})

test('detects a cycle of merges, and terminates when following it', () => {
  const cycle = { merged: { [a]: b, [b]: a, [c]: a } }
  expect(hasMergeCycle(c, cycle)).toBe(true)
  expect(hasMergeCycle(a, { merged: { [a]: a } })).toBe(true)
  expect(hasMergeCycle(c, { merged: { [c]: b, [b]: a } })).toBe(false)
  expect([a, b]).toContain(mergedInto(c, cycle))
})

test.each([
  ['an empty name', { names: { [a]: ' ' } }],
  ['a name of 61 characters', { names: { [a]: 'x'.repeat(61) } }],
  ['a name with a line break', { names: { [a]: 'x\ny' } }],
  ['a name with a bidirectional override', { names: { [a]: 'x\u202Ey' } }],
  ['a name for an empty label', { names: { '': 'x' } }],
  ['51 merges', { merged: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`Speaker ${index}`, a])) }],
  ['1,001 moves', { moved: Array.from({ length: 1001 }, (_, index) => ({ start: index, end: index, speaker: a })) }],
  ['a move to before the start', { moved: [{ start: -1, end: 0, speaker: a }] }],
])('rejects %s', (_, corrections) => {
  expect(SpeakerCorrections.safeParse({ ...noSpeakerCorrections, ...corrections }).success).toBe(false)
})
