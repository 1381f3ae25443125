import { expect, test } from 'vitest'
import { joinWords } from './words.ts'

function tokens(...parts: (string | Uint8Array)[]) {
  return parts.map((part, index) => ({
    bytes: typeof part === 'string' ? Buffer.from(part) : part,
    probability: index === 0 ? 1 : 0.5,
    logProbability: 0,
    startMs: index * 100,
    endMs: index * 100 + 90,
  }))
}

test('a space starts a word, and punctuation belongs to the preceding word', () => {
  expect(joinWords(tokens(' typ', 'ography', ',', ' has')).map(({ text }) => text)).toEqual(['typography,', 'has'])
})

test('a word lasts from its first token to its last and has their mean confidence', () => {
  expect(joinWords(tokens(' typ', 'ography'))).toEqual([
    { text: 'typography', startMs: 0, endMs: 190, confidence: 0.75 },
  ])
})

test('joins letters whose bytes are split across two tokens, and drops incomplete ones', () => {
  const bytes = Buffer.from(' ټول')
  expect(joinWords(tokens(bytes.subarray(0, 2), bytes.subarray(2))).map(({ text }) => text)).toEqual(['ټول'])
  expect(joinWords(tokens(' yes', bytes.subarray(0, 2))).map(({ text }) => text)).toEqual(['yes'])
})
