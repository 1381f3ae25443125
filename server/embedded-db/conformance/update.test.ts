import { Double, Int32, Long, type Document } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { useContractDatabase } from './database.ts'

const contract = useContractDatabase()

interface Item extends Document {
  _id: number
}

let files = 0

/** Creates a collection with these documents. */
async function collectionOf(...documents: Item[]) {
  const collection = contract.db.collection<Item>(`updates${++files}`)
  if (documents.length > 0) await collection.insertMany(documents)
  return collection
}

const changeCases: [string, Document, Document, Document][] = [
  ['$set makes the way to a path', { a: 1 }, { $set: { 'b.c.d': 2 } }, { a: 1, b: { c: { d: 2 } } }],
  ['$set on an index pads with null', { a: [1] }, { $set: { 'a.3': 4 } }, { a: [1, null, null, 4] }],
  ['$unset removes a field', { a: { b: 1, c: 2 } }, { $unset: { 'a.b': '' } }, { a: { c: 2 } }],
  ['$unset of an element leaves null', { a: [1, 2, 3] }, { $unset: { 'a.1': '' } }, { a: [1, null, 3] }],
  ['$inc starts at the amount', {}, { $inc: { n: 3 } }, { n: 3 }],
  [
    '$min and $max keep the extremes',
    { a: 5, b: 5, c: 5 },
    { $min: { a: 3 }, $max: { b: 9, c: 1 } },
    { a: 3, b: 9, c: 5 },
  ],
  ['$min compares across types', { a: 'text' }, { $min: { a: 3 } }, { a: 3 }],
  ['$push appends', { a: [1] }, { $push: { a: { b: 1 } } }, { a: [1, { b: 1 }] }],
  [
    '$push of several at a place',
    { a: [1, 2] },
    { $push: { a: { $each: [8, 9], $position: 1 } } },
    { a: [1, 8, 9, 2] },
  ],
  ['$push keeps the last', { a: [1, 2] }, { $push: { a: { $each: [3, 4], $slice: -3 } } }, { a: [2, 3, 4] }],
  [
    '$push sorts',
    { a: [{ n: 2 }] },
    { $push: { a: { $each: [{ n: 1 }], $sort: { n: 1 } } } },
    { a: [{ n: 1 }, { n: 2 }] },
  ],
  [
    '$addToSet adds what is not there',
    { a: [1, { x: 1 }] },
    { $addToSet: { a: { $each: [1, { x: 1 }, 2] } } },
    { a: [1, { x: 1 }, 2] },
  ],
  ['$pull by value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
  ['$pull by condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  ['$pull by fields', { a: [{ n: 1, x: 1 }, { n: 2 }] }, { $pull: { a: { n: 1 } } }, { a: [{ n: 2 }] }],
  ['$pullAll', { a: [1, 2, 3, 1] }, { $pullAll: { a: [1, 3] } }, { a: [2] }],
  [
    '$addToSet adds a text once, and not for a number that looks like it',
    { a: ['x', 1] },
    { $addToSet: { a: { $each: ['y', 'x', '1', 'y', 1] } } },
    { a: ['x', 1, 'y', '1'] },
  ],
  ['$pullAll removes texts', { a: ['x', 1, '1', 'x'] }, { $pullAll: { a: ['x', '1'] } }, { a: [1] }],
  [
    '$pop from the end and the start',
    { a: [1, 2, 3], b: [1, 2, 3] },
    { $pop: { a: 1, b: -1 } },
    { a: [1, 2], b: [2, 3] },
  ],
]

describe('operators', () => {
  test.each(changeCases)('%s', async (_, before, update, after) => {
    const collection = await collectionOf({ _id: 1, ...before })
    expect(await collection.updateOne({ _id: 1 }, update)).toMatchObject({ matchedCount: 1, modifiedCount: 1 })
    expect(await collection.findOne({ _id: 1 })).toEqual({ _id: 1, ...after })
  })

  test('an update without a change counts as matched alone', async () => {
    const collection = await collectionOf({ _id: 1, a: [1] })
    const result = await collection.updateOne({ _id: 1 }, { $set: { a: [1] }, $addToSet: { b: { $each: [] } } })
    expect(result).toMatchObject({ matchedCount: 1, modifiedCount: 1 })
    expect(await collection.updateOne({ _id: 1 }, { $set: { a: [1] } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    })
  })

  test('$currentDate is the time of the database', async () => {
    const collection = await collectionOf({ _id: 1 })
    await collection.updateOne({ _id: 1 }, { $currentDate: { at: true } })
    const found = await collection.findOne({ at: { $type: 'date' } })
    expect(Math.abs(Number(found?.at) - Date.now())).toBeLessThan(60_000)
  })

  test('growing beyond 16 MiB is refused', async () => {
    const collection = await collectionOf({ _id: 1, text: 'x'.repeat(10 * 2 ** 20) })
    const grown = collection.updateOne({ _id: 1 }, { $set: { more: 'x'.repeat(8 * 2 ** 20) } })
    await expect(grown).rejects.toMatchObject({ code: 17419 })
    expect(await collection.countDocuments({ more: { $exists: true } })).toBe(0)
  })

  test('a thousand texts are added to nine thousand in little time', async () => {
    const texts = (count: number, end: string) =>
      Array.from({ length: count }, (_, at) => `${'k'.repeat(180)}${at}${end}`)
    const collection = await collectionOf({ _id: 1, a: texts(9_000, '') })
    const begin = performance.now()
    await collection.updateOne({ _id: 1 }, { $addToSet: { a: { $each: texts(1_000, ' more') } } })
    expect(performance.now() - begin).toBeLessThan(2_000)
  })

  test('a replacement keeps _id and nothing else', async () => {
    const collection = await collectionOf({ _id: 1, a: 1 })
    await collection.replaceOne({ a: 1 }, { b: 2 })
    expect(await collection.findOne()).toEqual({ _id: 1, b: 2 })
  })
})

describe('positional paths', () => {
  const items = () => [
    { n: 1, s: 'a' },
    { n: 2, s: 'b' },
    { n: 2, s: 'c' },
  ]

  test('$ is the element that the filter found, for several changes at once', async () => {
    const collection = await collectionOf({ _id: 1, items: items() })
    await collection.updateOne({ _id: 1, 'items.n': 2 }, { $set: { 'items.$.s': 'x', 'items.$.t': true } })
    const found = await collection.findOne()
    expect(found?.items).toEqual([
      { n: 1, s: 'a' },
      { n: 2, s: 'x', t: true },
      { n: 2, s: 'c' },
    ])
  })

  test('$ follows $elemMatch', async () => {
    const collection = await collectionOf({ _id: 1, items: items() })
    await collection.updateOne({ items: { $elemMatch: { n: 2, s: 'c' } } }, { $inc: { 'items.$.n': 5 } })
    expect((await collection.findOne())?.items[2]).toEqual({ n: 7, s: 'c' })
  })

  test('$[] is every element, $[name] those that a filter fits', async () => {
    const collection = await collectionOf({ _id: 1, items: items() })
    await collection.updateOne({ _id: 1 }, { $set: { 'items.$[].seen': true } })
    await collection.updateOne({ _id: 1 }, { $unset: { 'items.$[i].s': '' } }, { arrayFilters: [{ 'i.n': 2 }] })
    expect((await collection.findOne())?.items).toEqual([
      { n: 1, s: 'a', seen: true },
      { n: 2, seen: true },
      { n: 2, seen: true },
    ])
  })
})

describe('findOneAndUpdate', () => {
  test('takes the first by the sort and gives it as it was or is', async () => {
    const collection = await collectionOf({ _id: 1, n: 5 }, { _id: 2, n: 3 }, { _id: 3, n: 9 })
    const first = { sort: { n: 1 } } as const
    expect(await collection.findOneAndUpdate({ n: { $lt: 9 } }, { $inc: { n: 10 } }, first)).toEqual({ _id: 2, n: 3 })
    const options = { ...first, returnDocument: 'after', projection: { n: 1, _id: 0 } } as const
    expect(await collection.findOneAndUpdate({}, { $inc: { n: 1 } }, options)).toEqual({ n: 6 })
    expect(await collection.findOneAndDelete({ n: { $gt: 8 } }, first)).toEqual({ _id: 3, n: 9 })
    expect(await collection.findOneAndUpdate({ n: 1000 }, { $set: { n: 1 } })).toBeNull()
  })

  test('a claim is won by one of many', async () => {
    const collection = await collectionOf(...Array.from({ length: 40 }, (_, _id) => ({ _id, state: 'queued' })))
    const claim = (worker: number) =>
      collection.findOneAndUpdate({ state: 'queued' }, { $set: { state: 'taken', worker } }, { sort: { _id: 1 } })
    const won = (await Promise.all(Array.from({ length: 60 }, (_, worker) => claim(worker)))).map((found) => found?._id)
    expect(won.filter((id) => id !== undefined).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, i) => i),
    )
  })
})

describe('updates by pipeline', () => {
  test('compute from the document and the time of the database', async () => {
    const collection = await collectionOf({ _id: 1, n: 2, old: 1 })
    const leaseUntil = { $dateAdd: { startDate: '$$NOW', unit: 'second', amount: 10 } }
    const stages = [{ $set: { leaseUntil, twice: { $add: ['$n', '$n'] }, 'a.b': 'x' } }, { $unset: 'old' }]
    await collection.updateOne({ _id: 1 }, stages)
    const found = await collection.findOne()
    expect(found).toMatchObject({ _id: 1, n: 2, twice: 4, a: { b: 'x' } })
    expect(found).not.toHaveProperty('old')
    expect(Math.abs(Number(found?.leaseUntil) - Date.now() - 10_000)).toBeLessThan(5000)
  })

  test('decide by conditions', async () => {
    const collection = await collectionOf({ _id: 1, n: 2 }, { _id: 2 })
    const n = { $cond: [{ $gt: [{ $ifNull: ['$n', 0] }, 1] }, { $subtract: ['$n', 1] }, '$$REMOVE'] }
    await collection.updateMany({}, [{ $set: { n, list: { $literal: ['$x'] } } }])
    expect(await collection.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, n: 1, list: ['$x'] },
      { _id: 2, list: ['$x'] },
    ])
  })

  test('filters compare with the time of the database', async () => {
    const collection = await collectionOf({ _id: 1, until: new Date(0) }, { _id: 2, until: new Date('2999-01-01') })
    const result = await collection.updateMany({ $expr: { $lt: ['$until', '$$NOW'] } }, { $set: { isOver: true } })
    expect(result.modifiedCount).toBe(1)
  })
})

const refusedCases: [string, Document, number][] = [
  ['two changes of one path', { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['a change of a path and of one below it', { $set: { o: 1, 'o.x': 2 } }, 40],
  ['another _id', { $set: { _id: 9 } }, 66],
  ['$inc of a text', { $inc: { text: 1 } }, 14],
  ['$inc by a text', { $inc: { n: 'x' } }, 14],
  ['a path through a scalar', { $set: { 'n.x': 1 } }, 28],
  ['$push to a scalar', { $push: { n: 1 } }, 2],
  ['an unknown operator', { $unknown: { a: 1 } }, 9],
  ['$ without a match in an array', { $set: { 'list.$': 1 } }, 2],
  ['an empty part of a path', { $set: { 'a..b': 1 } }, 56],
]

test.each(refusedCases)('%s is refused and leaves the document as it was', async (_, update, code) => {
  const before = { _id: 1, n: 1, text: 'x', o: { x: 1 }, list: [1] }
  const collection = await collectionOf(before)
  await expect(collection.updateOne({ _id: 1 }, update)).rejects.toMatchObject({ code })
  expect(await collection.findOne()).toEqual(before)
})

test('an unsupported update is refused even when nothing matches', async () => {
  const collection = await collectionOf()
  for (const update of [
    { $unknown: { a: 1 } },
    [{ $set: { a: { $unknown: 1 } } }],
    { $set: { a: 1 }, $unset: { a: 1 } },
  ]) {
    await expect(collection.updateMany({}, update)).rejects.toThrow(/unknown|conflict/i)
  }
})

describe('number types', () => {
  const raw = { promoteValues: false } as const

  test('stay what they were when another field changes', async () => {
    const collection = contract.db.collection('kept', raw)
    const values = { double: new Double(5), int: new Int32(5), long: Long.fromNumber(5) }
    await collection.insertOne({ ...values })
    await collection.updateOne({}, { $set: { other: 1 } })
    expect(await collection.findOne({}, { ...raw, projection: { _id: 0, other: 0 } })).toEqual(values)
  })

  test('of a sum follow the wider operand', async () => {
    const collection = contract.db.collection('sums', raw)
    await collection.insertOne({ a: new Int32(1), b: new Int32(1), c: new Double(1), d: new Int32(0x7fffffff) })
    await collection.updateOne(
      {},
      { $inc: { a: new Int32(1), b: Long.fromNumber(1), c: new Int32(1), d: new Int32(1) } },
    )
    expect(await collection.findOne({}, { ...raw, projection: { _id: 0 } })).toEqual({
      a: new Int32(2),
      b: Long.fromNumber(2),
      c: new Double(2),
      d: Long.fromString('2147483648'),
    })
  })

  test('beyond 2^53 stay distinct, in filters and in a unique index', async () => {
    const collection = contract.db.collection('large')
    await collection.createIndex({ n: 1 }, { unique: true })
    const large = ['9007199254740992', '9007199254740993', '9007199254740994'].map((text) => Long.fromString(text))
    await collection.insertMany(large.map((n) => ({ n })))
    expect(await collection.countDocuments({ n: large[1] })).toBe(1)
    expect(await collection.countDocuments({ n: { $gt: large[1] } })).toBe(1)
  })

  test('are equal across types', async () => {
    const collection = await collectionOf({ _id: 1, n: new Double(5) })
    expect(await collection.countDocuments({ n: Long.fromNumber(5) })).toBe(1)
    await collection.createIndex({ n: 1 })
    expect(await collection.countDocuments({ n: { $in: [5] } })).toBe(1)
  })
})
