import { expect, test } from 'vitest'
import { builtInKeywords } from './defaults.ts'
import { formatKeywordFile, parseKeywordFile } from './keyword-file.ts'
import { Keywords } from './keywords.ts'

const builtIn = builtInKeywords(null)

test('reads a downloaded file back unchanged', () => {
  expect(parseKeywordFile(formatKeywordFile(builtIn))).toEqual(builtIn)
})

test('the built-in lists are valid keywords in their stored form', () => {
  expect(Keywords.parse(builtIn)).toEqual(builtIn)
})

test('trims and lowercases words, and drops repeated, empty and long ones', () => {
  const content = JSON.stringify({ threats: [' Bomb ', 'bomb', '', 'x'.repeat(30)], extra: 1 })
  expect(parseKeywordFile(content)).toEqual({ threats: ['bomb'], sentiment: [], intent: [], custom: [] })
})

test('reads lists under keywords, and accepts a byte order mark', () => {
  expect(parseKeywordFile('\uFEFF{"timestamp":"now","keywords":{"custom":["بم"]}}').custom).toEqual(['بم'])
})

test.each(['', 'bomb, gun', '{"threats": "bomb"}', '{"threats": [1]}', '[]', 'null', '{}', '{"keywords": []}'])(
  'rejects %j with the sentence of the specification',
  (content) => {
    expect(() => parseKeywordFile(content)).toThrow('Invalid file format')
  },
)

test('reads back which words match similar ones, without those in no list', () => {
  const keywords = { threats: ['bomb', 'weapon'], sentiment: [], intent: [], custom: [], sounds_like: ['weapon'] }
  expect(parseKeywordFile(formatKeywordFile(keywords))).toEqual(keywords)
  const content = JSON.stringify({ threats: ['bomb'], sounds_like: [' BOMB', 'deleted'] })
  expect(parseKeywordFile(content).sounds_like).toEqual(['bomb'])
})
