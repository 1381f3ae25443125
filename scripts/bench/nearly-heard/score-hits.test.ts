import { expect, test } from 'vitest'
import { scoreHits } from './score-hits.ts'

const utterances = [
  { channel: 0, text: 'The weapon is in Kandahar', startMs: 1000, endMs: 4000 },
  { channel: 1, text: 'Two weapons', startMs: 9000, endMs: 10_000 },
] as const
const keywords = new Set(['weapon', 'kandahar'])

function score(hits: { keyword: string; start: number; channel: 0 | 1 }[], text = 'The weapin is in Kandahar') {
  const words = text.split(' ').map((word, at) => ({ text: word, startMs: 1000 + at * 500, endMs: 1500 + at * 500 }))
  const lines = [{ channel: 0 as const, startMs: 1000, endMs: 4000, text, words }]
  const possibleHits = hits.map((hit) => ({ ...hit, end: hit.start + 0.4, heard: '', probability: 0.9 }))
  const { said, certain, hits: judged } = scoreHits({ lines, possibleHits }, utterances, keywords)
  return { said, certain, kinds: judged.map(({ kind }) => kind) }
}

test('what was said and is not in the transcript is found once', () => {
  const hit = { keyword: 'weapon', start: 1.5, channel: 0 } as const
  expect(score([hit, hit])).toEqual({ said: 2, certain: 1, kinds: ['said'] })
})

test('a hit of what the transcript has is neither found nor false', () => {
  expect(score([{ keyword: 'kandahar', start: 3, channel: 0 }]).kinds).toEqual([])
})

test('another form is told from what nobody said', () => {
  expect(score([{ keyword: 'weapon', start: 9.5, channel: 1 }]).kinds).toEqual(['other form'])
  expect(score([{ keyword: 'kandahar', start: 9.5, channel: 1 }]).kinds).toEqual(['false'])
  expect(score([{ keyword: 'weapon', start: 20, channel: 0 }]).kinds).toEqual(['false'])
})
