import { expect, test } from 'vitest'
import { jsonPieces } from './json-pieces.ts'

test.each<[what: string, value: unknown]>([
  ['a text with a line break', 'first\nsecond'],
  ['a number', 1.5],
  ['null', null],
  ['empty ones', { list: [], object: {} }],
  ['lists and objects in each other', { a: [1, [2, { b: [] }]], c: { d: { e: { f: { g: { h: [1, 'x\ny'] } } } } } }],
  ['a property that is undefined', { a: undefined, b: 1, c: { d: undefined } }],
  ['names that need quotes', { 'a "b"': 1, پښتو: 'غږ' }],
])('%s is written as by JSON.stringify', (_, value) => {
  expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value, null, 2))
})

const lines = Array.from({ length: 1_000 }, (_, line) => ({ line, words: [{ text: 'a' }, { text: 'b' }], none: [] }))
const transcription = { segments: lines, speakers: [{ segments: lines, count: 2 }] }

test('long lists are written as by JSON.stringify', () => {
  expect([...jsonPieces({ transcription })].join('')).toBe(JSON.stringify({ transcription }, null, 2))
  expect([...jsonPieces(lines)].join('')).toBe(JSON.stringify(lines, null, 2))
})

test('no piece has all of a long list', () => {
  const lengths = [...jsonPieces({ transcription })].map((piece) => piece.length)
  expect(Math.max(...lengths)).toBeLessThan(JSON.stringify(lines, null, 2).length / 4)
})
