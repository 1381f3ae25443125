import { expect, test } from 'vitest'
import { alignLines } from './align.ts'
import type { Line, ReferenceUtterance } from './reference.ts'

const said = (text: string, startMs: number, endMs = startMs + 2000): ReferenceUtterance => ({
  channel: 0,
  text,
  startMs,
  endMs,
})
const makeLine = (text: string, startMs: number, endMs = startMs + 2000): Line => ({ channel: 0, text, startMs, endMs })

/** Returns `utterance.word` of each transcribed word. */
function places(lines: Line[], utterances: ReferenceUtterance[]): string[] {
  return alignLines(lines, utterances).map((line) =>
    line.map((place) => (place ? `${place.utterance}.${place.word}` : '-')).join(' '),
  )
}

test('finds every word of a transcript without errors', () => {
  const utterances = [said('Where is the money?', 0), said('At home.', 5000)]
  expect(places([makeLine('where is', 0), makeLine('the money at home', 1000, 7000)], utterances)).toEqual([
    '0.0 0.1',
    '0.2 0.3 1.0 1.1',
  ])
})

test('a misrecognized word is aligned with the similar word', () => {
  expect(places([makeLine('the honey', 0)], [said('where is the money', 0)])).toEqual(['0.2 0.3'])
})

test('an inserted word matches no reference word', () => {
  expect(places([makeLine('at home thank you', 0)], [said('at home', 0)])).toEqual(['0.0 0.1 - -'])
})

test('of two equal utterances the one at the time of the line is meant', () => {
  const utterances = [said('yes please', 0), said('yes please', 60_000)]
  expect(places([makeLine('yes please', 60_100)], utterances)).toEqual(['1.0 1.1'])
})

test('words at a wrong time are aligned with where they were spoken', () => {
  expect(places([makeLine('where is the money', 25_000)], [said('where is the money', 630_000)])).toEqual([
    '0.0 0.1 0.2 0.3',
  ])
})

test('words without a similar one are aligned with those spoken at their time', () => {
  const utterances = [said('حروف صحیح', 0), said('دکمه شروع', 20_000)]
  expect(places([makeLine('گگگ ژژژ', 20_000)], utterances)).toEqual(['1.0 1.1'])
})

test('handles empty transcripts and references', () => {
  expect(alignLines([], [said('hello', 0)])).toEqual([])
  expect(places([makeLine('hello', 0)], [])).toEqual(['-'])
})
