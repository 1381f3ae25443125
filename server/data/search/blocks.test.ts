import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  IndexBlockWriter,
  decodeFirstWords,
  encodeFirstWords,
  findBlocks,
  findInBlock,
  listInBlock,
  readBlock,
} from './blocks.ts'
import { compareWords } from './build-segment.ts'
import { decodeNumbers, encodeNumbers } from './number-lists.ts'
import { forEachOccurrence, OccurrenceWriter, readPostings } from './postings.ts'

type Place = [line: number, position: number]

const places = fc
  .uniqueArray(fc.tuple(fc.nat(70_000), fc.nat(200)), { selector: String, minLength: 1, maxLength: 12 })
  .map((list) => list.toSorted(([a, b], [c, d]) => a - c || b - d))
const postings = fc.dictionary(fc.integer({ min: 1, max: 100_000 }).map(String), places, {
  minKeys: 1,
  maxKeys: 8,
  noNullPrototype: true,
})
const letters = fc.constantFrom('a', 'b', 'م', 'ی', 'é', '😀')
const word = fc.array(letters, { minLength: 1, maxLength: 6 }).map((list) => list.join(''))
const contents = fc.dictionary(word, postings, { maxKeys: 40, noNullPrototype: true })

function write(words: Record<string, Record<string, Place[]>>, targetBytes: number) {
  const writer = new IndexBlockWriter(targetBytes)
  for (const key of Object.keys(words).toSorted(compareWords)) {
    const entries = Object.entries(words[key] ?? {}).map(([ordinal, list]) => {
      const occurrences = new OccurrenceWriter()
      for (const [line, position] of list) occurrences.add(line, position)
      const bytes = occurrences.toBytes()
      return { ordinal: Number(ordinal), bytes, from: 0, to: bytes.length }
    })
    writer.add(
      key,
      entries.toSorted((a, b) => a.ordinal - b.ordinal),
    )
  }
  writer.finish()
  return writer.blocks
}

function read(found: ReturnType<typeof findInBlock>): Record<string, Place[]> {
  return Object.fromEntries(
    found.flatMap(readPostings).map((posting) => {
      const list: Place[] = []
      forEachOccurrence(posting, (line, position) => void list.push([line, position]))
      return [String(posting.ordinal), list]
    }),
  )
}

test('every word is found with all of its places, in blocks of any size', () => {
  fc.assert(
    fc.property(contents, fc.integer({ min: 1, max: 400 }), (words, targetBytes) => {
      const blocks = write(words, targetBytes)
      const firstWords = decodeFirstWords(encodeFirstWords(blocks.map(({ firstWord }) => firstWord)))
      for (const key of [...Object.keys(words), 'zz', 'a']) {
        const { from, to } = findBlocks(firstWords, key, key)
        const found = blocks
          .slice(from, to)
          .flatMap(({ bytes }) => findInBlock(bytes, Buffer.from(key), { isPrefix: false }))
        expect(read(found)).toEqual(words[key] ?? {})
      }
    }),
  )
})

test('all words with one beginning are found', () => {
  fc.assert(
    fc.property(contents, word, fc.integer({ min: 1, max: 400 }), (words, prefix, targetBytes) => {
      const blocks = write(words, targetBytes)
      const { from, to } = findBlocks(
        blocks.map(({ firstWord }) => firstWord),
        prefix,
        `${prefix}\uffff`,
      )
      const found = blocks
        .slice(from, to)
        .flatMap(({ bytes }) => findInBlock(bytes, Buffer.from(prefix), { isPrefix: true }))
      const wanted = Object.keys(words).filter((key) => key.startsWith(prefix))
      const places = wanted.flatMap((key) => Object.values(words[key] ?? {}).flat())
      expect(found.flatMap((entry) => Object.values(read([entry])).flat())).toHaveLength(places.length)
    }),
  )
})

test('a block is read word for word', () => {
  fc.assert(
    fc.property(contents, (words) => {
      const read = write(words, 100_000).flatMap(({ bytes }) => [...readBlock(bytes)].map((entry) => entry.word))
      expect(read).toEqual(Object.keys(words).toSorted(compareWords))
    }),
  )
})

test('words without occurrences are listed with the recordings that have them, by how they begin', () => {
  const none = { 1: [], 70: [], 900: [] }
  const blocks = write({ ab: { 3: [[1, 2]] }, 'x:one': none, 'x:two': { 2: [] }, 'y:one': none }, 1_000)
  const listed = blocks.flatMap(({ bytes }) => listInBlock(bytes, Buffer.from('x:')))
  expect(listed.map(({ word, ...entry }) => [word, readPostings(entry).map(({ ordinal }) => ordinal)])).toEqual([
    ['x:one', [1, 70, 900]],
    ['x:two', [2]],
  ])
  expect(blocks.flatMap(({ bytes }) => listInBlock(bytes, Buffer.from('z')))).toEqual([])
})

test('words without postings are listed too, between others', () => {
  const blocks = write({ ab: { 3: [[1, 2]] }, 'x:one': {}, 'x:two': { 2: [] }, 'x:zero': {} }, 1_000)
  const listed = blocks.flatMap(({ bytes }) => listInBlock(bytes, Buffer.from('x:')))
  expect(listed.map(({ word, ...entry }) => [word, readPostings(entry).map(({ ordinal }) => ordinal)])).toEqual([
    ['x:one', []],
    ['x:two', [2]],
    ['x:zero', []],
  ])
})

test('the postings of a word that fill a block go on in the next', () => {
  const many = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [String(index + 1), [[1, 2]] as Place[]]),
  )
  const blocks = write({ a: { 1: [[0, 0]] }, word: many, z: { 1: [[0, 0]] } }, 1_000)
  expect(blocks.every(({ bytes }) => bytes.length < 100_000)).toBe(true)
  const firstWords = blocks.map(({ firstWord }) => firstWord)
  const { from, to } = findBlocks(firstWords, 'word', 'word')
  const found = blocks
    .slice(from, to)
    .flatMap(({ bytes }) => findInBlock(bytes, Buffer.from('word'), { isPrefix: false }))
  expect(Object.keys(read(found))).toHaveLength(20_000)
})

test('numbers are read as they were written, in order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(2 ** 31)), (numbers) => {
      expect(decodeNumbers(encodeNumbers(numbers))).toEqual(numbers.toSorted((a, b) => a - b))
    }),
  )
})
