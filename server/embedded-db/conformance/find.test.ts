import { Long, type Document } from 'mongodb'
import { beforeAll, describe, expect, test } from 'vitest'
import { useContractDatabase } from './database.ts'

const contract = useContractDatabase()

interface Numbered extends Document {
  _id: number
}

function numbers() {
  return contract.db.collection<Numbered>('numbers')
}

beforeAll(async () => {
  await numbers().insertMany(
    Array.from({ length: 500 }, (_, i) => ({ _id: i, parity: i % 2, tens: Math.floor(i / 10), label: `n${i}` })),
  )
})

describe('sorting', () => {
  test('orders values of all types', async () => {
    const mixed = contract.db.collection<{ _id: string; v?: unknown }>('mixed')
    await mixed.insertMany([
      { _id: 'bool', v: true },
      { _id: 'date', v: new Date(0) },
      { _id: 'object', v: { a: 1 } },
      { _id: 'text', v: 'b' },
      { _id: 'number', v: 3 },
      { _id: 'null', v: null },
      { _id: 'missing' },
      { _id: 'empty list', v: [] },
      { _id: 'list', v: [9, 2] },
      { _id: 'long', v: Long.fromString('9007199254740993') },
    ])
    const names = async (direction: 1 | -1) =>
      (await mixed.find().sort({ v: direction, _id: 1 }).toArray()).map(({ _id }) => _id)
    // An array sorts by its least element ascending, by its greatest descending.
    expect(await names(1)).toEqual([
      'empty list',
      'missing',
      'null',
      'list',
      'number',
      'long',
      'text',
      'object',
      'bool',
      'date',
    ])
    expect(await names(-1)).toEqual([
      'date',
      'bool',
      'object',
      'text',
      'long',
      'list',
      'number',
      'missing',
      'null',
      'empty list',
    ])
  })

  test('sorts by several fields, with and without an index', async () => {
    const read = () =>
      numbers()
        .find({ tens: { $lt: 2 } })
        .sort({ parity: -1, label: 1 })
        .limit(3)
        .toArray()
    const before = await read()
    await numbers().createIndex({ parity: -1, label: 1 })
    expect(await read()).toEqual(before)
    expect(before.map(({ label }) => label)).toEqual(['n1', 'n11', 'n13'])
  })

  test('orders text by its UTF-8 bytes', async () => {
    const texts = contract.db.collection<{ _id: string }>('texts')
    const sorted = ['', 'B', 'a', 'ab', 'é', 'ツ', '\uffee', '\u{1f600}']
    await texts.insertMany(sorted.toReversed().map((_id) => ({ _id })))
    expect((await texts.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual(sorted)
  })
})

describe('cursors', () => {
  test('hand out all documents in batches', async () => {
    const found = await numbers().find().sort({ _id: 1 }).batchSize(7).toArray()
    expect(found.map(({ _id }) => _id)).toEqual(Array.from({ length: 500 }, (_, i) => i))
  })

  test('skip and limit', async () => {
    const found = await numbers().find().sort({ _id: -1 }).skip(10).limit(3).toArray()
    expect(found.map(({ _id }) => _id)).toEqual([489, 488, 487])
  })

  test('end when they are closed', async () => {
    const cursor = numbers().find().batchSize(2)
    await cursor.next()
    const id = cursor.id
    await cursor.close()
    const more = contract.db.command({ getMore: id, collection: 'numbers' })
    await expect(more).rejects.toMatchObject({ code: 43, codeName: 'CursorNotFound' })
  })

  test('a missing collection is empty', async () => {
    expect(await contract.db.collection('nowhere').find({ a: 1 }).toArray()).toEqual([])
    expect(await contract.db.collection('nowhere').countDocuments()).toBe(0)
  })
})

describe('counting and distinct values', () => {
  test('counts with and without a filter', async () => {
    expect(await numbers().countDocuments()).toBe(500)
    expect(await numbers().countDocuments({ parity: 1 }, { skip: 5, limit: 100 })).toBe(100)
    expect(await numbers().estimatedDocumentCount()).toBe(500)
  })

  test('gives each value once, elements of arrays included', async () => {
    const lists = contract.db.collection('lists')
    await lists.insertMany([{ t: ['a', 'b'] }, { t: 'b' }, { t: ['c', 'a'] }, {}])
    expect((await lists.distinct('t')).toSorted()).toEqual(['a', 'b', 'c'])
    expect(await numbers().distinct('tens', { _id: { $lt: 20 } })).toEqual([0, 1])
  })
})

const projectionShapes: [string, Document, Document][] = [
  ['included fields, _id with them', { a: 1 }, { _id: 1, a: 5 }],
  ['included fields without _id', { a: 1, _id: 0 }, { a: 5 }],
  ['excluded fields', { a: 0, list: 0, items: 0 }, { _id: 1, o: { x: 1, y: 2 } }],
  ['a path', { 'o.x': 1, _id: 0 }, { o: { x: 1 } }],
  ['an excluded path', { 'o.x': 0, list: 0, items: 0 }, { _id: 1, a: 5, o: { y: 2 } }],
  ['a path into an array', { 'items.n': 1, _id: 0 }, { items: [{ n: 1 }, { n: 2 }] }],
  ['the first elements', { list: { $slice: 2 }, a: 1, _id: 0 }, { a: 5, list: [1, 2] }],
  ['the last elements', { list: { $slice: -1 }, a: 1, _id: 0 }, { a: 5, list: [4] }],
  ['one matching element', { items: { $elemMatch: { n: 2 } }, _id: 0 }, { items: [{ n: 2, s: 'b' }] }],
  ['the element that the filter found', { 'items.$': 1, _id: 0 }, { items: [{ n: 2, s: 'b' }] }],
  ['a computed field', { _id: 0, twice: { $add: ['$a', '$a'] } }, { twice: 10 }],
]

describe('projections give', () => {
  beforeAll(async () => {
    const items = [
      { n: 1, s: 'a' },
      { n: 2, s: 'b' },
    ]
    await contract.db
      .collection<Numbered>('shapes')
      .insertOne({ _id: 1, a: 5, o: { x: 1, y: 2 }, list: [1, 2, 3, 4], items })
  })

  test.each(projectionShapes)('%s', async (_, projection, expected) => {
    const found = await contract.db.collection('shapes').findOne({ 'items.n': 2 }, { projection })
    expect(found).toEqual(expected)
  })

  test('an error when inclusion and exclusion are mixed', async () => {
    const mixed = contract.db.collection('shapes').findOne({}, { projection: { a: 1, o: 0 } })
    await expect(mixed).rejects.toMatchObject({ code: 31254 })
  })
})

test('a time limit ends a slow query', async () => {
  const slow = contract.db.collection('slow')
  await slow.insertMany(Array.from({ length: 20_000 }, (_, i) => ({ i, text: 'x'.repeat(200) })))
  await expect(slow.find({ text: /x*y/ }).maxTimeMS(1).toArray()).rejects.toMatchObject({ code: 50 })
})
