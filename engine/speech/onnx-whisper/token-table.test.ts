import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readTokenTable } from './token-table.ts'

async function writeTokens(content: string): Promise<string> {
  const path = join(await temporaryFolder(), 'tokens.txt')
  await writeFile(path, content)
  return path
}

/** Returns a table of the tokens and the ids of a text made of them, in order; undefined stands for a timestamp. */
async function tableOf(tokens: (string | Buffer | undefined)[]) {
  const lines = tokens.flatMap((token, id) =>
    token === undefined ? [] : `${Buffer.from(token).toString('base64')} ${id}\n`,
  )
  return { table: await readTokenTable(await writeTokens(lines.join(''))), ids: [...tokens.keys()] }
}

async function wordsOf(tokens: (string | Buffer | undefined)[]) {
  const { table, ids } = await tableOf(tokens)
  return table.words(ids)
}

// U+0633 and U+0645 take two bytes each.
const salam = Buffer.from(' سلام')
const splitSalam = [salam.subarray(0, 2), salam.subarray(2, 8), salam.subarray(8)]

test('encodes a text by joining the pair of the lowest id, never across words', async () => {
  const { table } = await tableOf([' ', 'a', 'b', 'c', 'bc', ' a', 'ab', ' ab', 'c ', 'abc'])
  expect(table.encode('abc')).toEqual([9])
  expect(table.encode(' abc')).toEqual([5, 4])
  expect(table.encode('c a')).toEqual([3, 5])
  expect(table.encode('')).toEqual([])
})

test('leaves out what has no token', async () => {
  const { table } = await tableOf(['a', 'b'])
  expect(table.encode('aچb')).toEqual([0, 1])
})

test('joins letters that are split across tokens', async () => {
  const tokens = [...splitSalam, ' دنیا']
  const { table, ids } = await tableOf(tokens)
  expect(table.words(ids)).toEqual([
    { text: 'سلام', tokens: [0, 1, 2] },
    { text: 'دنیا', tokens: [3] },
  ])
})

test('drops incomplete letters and leaves the next word alone', async () => {
  const tokens = [...splitSalam.slice(0, 2), ' دنیا', Buffer.from([0x85])]
  const { table, ids } = await tableOf(tokens)
  expect(table.words(ids).map(({ text }) => text)).toEqual(['سلا', 'دنیا'])
})

test('ignores ids without an entry, and counts them in the indices of words', async () => {
  const { table, ids } = await tableOf([undefined, ' a', undefined, 'b', ' c', undefined])
  expect(table.words([50_364, ...ids])).toEqual([
    { text: 'ab', tokens: [2, 4] },
    { text: 'c', tokens: [5] },
  ])
})

test.each<[string, string[], string[]]>([
  ['punctuation', [' Well', ',', ' yes', '.', '"'], ['Well,', 'yes."']],
  ['Arabic punctuation', [' سلام', '،', ' خوبی', '؟'], ['سلام،', 'خوبی؟']],
  ['opening punctuation', [' said', ' "', 'Come', '"', ' («', 'in'], ['said', '"Come"', '(«in']],
  ['opening punctuation alone', [' -', ' "', ' Come', ' -'], ['- " Come', '-']],
  ['punctuation within words', [' 10', ',', '000', ' well', '-', 'known', ' 50', '%'], ['10,000', 'well-known', '50%']],
  ['a first token without a space', ['He', 'llo'], ['Hello']],
  ['spaces alone', [' ', 'a', ' ', ' b', ' '], ['a', 'b']],
])('splits words at spaces: %s', async (_, tokens, expected) => {
  const words = await wordsOf(tokens)
  expect(words.map(({ text }) => text)).toEqual(expected)
})

test('the tokens of opening punctuation belong to the following word', async () => {
  expect(await wordsOf([' a', ' (', ' b', ')'])).toEqual([
    { text: 'a', tokens: [0] },
    { text: '( b)', tokens: [1, 2, 3] },
  ])
})

test('a text without words has none', async () => {
  expect(await wordsOf([' ', ' '])).toEqual([])
  expect(await wordsOf([undefined, ' a', undefined])).toEqual([{ text: 'a', tokens: [1] }])
})

test('finds the token of an exact text', async () => {
  const { table } = await tableOf([' [', '[', '♪', salam])
  expect([' [', '[', '♪', ' سلام', 'سلام', ' ♪', ''].map((text) => table.find(text))).toEqual([
    0,
    1,
    2,
    3,
    undefined,
    undefined,
    undefined,
  ])
})

test('reads empty tokens, blank lines and carriage returns', async () => {
  const table = await readTokenTable(await writeTokens('IEhl 0\r\n 1\r\n= 2\n\nbGxv 7'))
  expect(table.words([0, 1, 2, 7]).map(({ text }) => text)).toEqual(['Hello'])
  expect(table.words([1, 0, 2, 7])).toEqual([{ text: 'Hello', tokens: [0, 1, 2, 3] }])
})

test.each([
  ['an id that is not a number', 'IEhl 0\nbGxv x\n', 'Line 2 of'],
  ['a negative id', 'IEhl -1\n', 'Line 1 of'],
  ['no id', 'IEhl 0\nbGxv\n', 'Line 2 of'],
  ['a token that is not base64', '▁Hello 0\n', 'Line 1 of'],
  ['no tokens', '\n\n', 'has no tokens'],
  ['no content', '', 'has no tokens'],
])('rejects a file with %s', async (_, content, message) => {
  await expect(readTokenTable(await writeTokens(content))).rejects.toThrow(message)
})
