import { expect, test } from 'vitest'
import type { LineWord } from '../transcript-line.ts'
import { listPossibleHits } from './possible-hits.ts'

/** Words of half a second each. */
function lineOf(text: string, startMs: number, near: Record<number, LineWord['nearlyHeard']>) {
  const words = text.split(' ').map((word, index): LineWord => {
    const times = { startMs: startMs + index * 500, endMs: startMs + index * 500 + 500 }
    const nearlyHeard = near[index]
    return { text: word, ...times, confidence: 0.5, ...(nearlyHeard && { nearlyHeard }) }
  })
  return { words }
}

test('hits have the words in whose place they stand and their time', () => {
  const line = lineOf('to cand a har tomorrow', 1000, { 1: [{ keyword: 'kandahar', count: 3, probability: 0.876 }] })
  const windows = [{ channel: 1 as const, lines: [line] }]
  const hit = { start: 1.5, end: 3, keyword: 'kandahar', heard: 'cand a har', probability: 0.88 }
  expect(listPossibleHits(windows, false)).toEqual([hit])
  expect(listPossibleHits(windows, true)).toEqual([{ ...hit, channel: 1 }])
})

test('of hits that overlap the most probable one counts, and all are in order of time', () => {
  const late = lineOf('weapin', 9000, { 0: [{ keyword: 'weapon', count: 1, probability: 0.6 }] })
  const near = {
    0: [{ keyword: 'kandahar', count: 2, probability: 0.7 }],
    1: [
      { keyword: 'ahar', count: 1, probability: 0.9 },
      { keyword: 'har', count: 1, probability: 0.8 },
    ],
  }
  const lines = [late, lineOf('cand ahar', 1000, near)]
  expect(listPossibleHits([{ channel: 0, lines }], true).map(({ keyword }) => keyword)).toEqual(['ahar', 'weapon'])
})
