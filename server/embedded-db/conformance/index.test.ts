import type { Document } from 'mongodb'
import { describe, expect, test, vi } from 'vitest'
import { planStages, useContractDatabase } from './database.ts'

const contract = useContractDatabase()

describe('unique indexes', () => {
  test('refuse a second document and name the index, the pattern and the value', async () => {
    const collection = contract.db.collection('unique')
    await collection.createIndex({ email: 1 }, { unique: true })
    await collection.insertOne({ email: 'a@b.c' })
    const second = collection.insertOne({ email: 'a@b.c' })
    await expect(second).rejects.toMatchObject({ code: 11000, keyPattern: { email: 1 }, keyValue: { email: 'a@b.c' } })
    await expect(second).rejects.toThrow(/index: email_1 dup key: \{ email: "a@b.c" \}/)
  })

  test('count a missing field as a value, unless sparse', async () => {
    const strict = contract.db.collection('strict')
    await strict.createIndex({ a: 1 }, { unique: true })
    await strict.insertOne({})
    await expect(strict.insertOne({})).rejects.toMatchObject({ code: 11000 })
    const sparse = contract.db.collection('sparse')
    await sparse.createIndex({ a: 1 }, { unique: true, sparse: true })
    await sparse.insertMany([{}, {}, { a: 1 }])
    await expect(sparse.insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 })
    expect(await sparse.countDocuments({ a: null })).toBe(2)
  })

  test('hold within their part alone', async () => {
    const collection = contract.db.collection<{ _id: number; key: string; active: boolean }>('partial')
    await collection.createIndex({ key: 1 }, { unique: true, partialFilterExpression: { active: true } })
    await collection.insertMany([
      { _id: 1, key: 'k', active: false },
      { _id: 2, key: 'k', active: false },
      { _id: 3, key: 'k', active: true },
    ])
    await expect(collection.updateOne({ _id: 1 }, { $set: { active: true } })).rejects.toMatchObject({ code: 11000 })
    await collection.updateOne({ _id: 3 }, { $set: { active: false } })
    await collection.updateOne({ _id: 1 }, { $set: { active: true } })
    expect(await collection.countDocuments({ key: 'k' })).toBe(3)
  })

  test('refuse elements of arrays of two documents', async () => {
    const collection = contract.db.collection('elements')
    await collection.createIndex({ tags: 1 }, { unique: true })
    await collection.insertOne({ tags: ['a', 'b', 'b'] })
    await expect(collection.insertOne({ tags: ['c', 'b'] })).rejects.toMatchObject({ code: 11000 })
  })

  test('are not made over documents that break them', async () => {
    const collection = contract.db.collection('broken')
    await collection.insertMany([{ a: 1 }, { a: 1 }])
    await expect(collection.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 })
    expect((await collection.listIndexes().toArray()).map(({ name }) => name)).toEqual(['_id_'])
  })
})

test('TTL indexes remove what is over and keep the rest', { timeout: 150_000 }, async () => {
  const collection = contract.db.collection<{ _id: string; at?: unknown }>('expiring')
  await collection.createIndex({ at: 1 }, { expireAfterSeconds: 60 })
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
  await collection.insertMany([
    { _id: 'over', at: ago(61) },
    { _id: 'not yet', at: ago(5) },
    { _id: 'no date', at: 'text' },
    { _id: 'none' },
  ])
  await vi.waitFor(async () => expect(await collection.countDocuments()).toBe(3), { timeout: 140_000, interval: 100 })
  expect((await collection.distinct('_id')).toSorted()).toEqual(['no date', 'none', 'not yet'])
})

describe('index definitions', () => {
  test('are listed as they were given', async () => {
    const collection = contract.db.collection('listed')
    await collection.createIndex({ a: 1, 'b.c': -1 }, { name: 'mine', sparse: true })
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 5 })
    expect(await collection.listIndexes().toArray()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1, 'b.c': -1 }, name: 'mine', sparse: true },
      { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 5 },
    ])
  })

  test('made again are the same; another one of the name or key is refused', async () => {
    const collection = contract.db.collection('again')
    await collection.createIndex({ a: 1 })
    await collection.createIndex({ a: 1 })
    await expect(collection.createIndex({ b: 1 }, { name: 'a_1' })).rejects.toMatchObject({ code: 86 })
    await expect(collection.createIndex({ a: 1 }, { name: 'other' })).rejects.toMatchObject({ code: 85 })
    await collection.dropIndex('a_1')
    expect(await collection.listIndexes().toArray()).toHaveLength(1)
    await expect(collection.dropIndex('a_1')).rejects.toMatchObject({ code: 27 })
  })

  test('of a missing collection are an error', async () => {
    await expect(contract.db.collection('nowhere').listIndexes().toArray()).rejects.toMatchObject({ code: 26 })
  })
})

const planCases: [string, Document, Document, 'COLLSCAN' | 'IXSCAN'][] = [
  ['equality on an indexed field', { a: 1 }, {}, 'IXSCAN'],
  ['a range on an indexed field', { a: { $gt: 1, $lt: 5 } }, {}, 'IXSCAN'],
  ['a prefix of a compound index', { b: 1 }, {}, 'IXSCAN'],
  ['the sort of an index', {}, { b: 1, c: -1 }, 'IXSCAN'],
  ['an $or with an index for each branch', { $or: [{ a: 1 }, { b: 2 }] }, {}, 'IXSCAN'],
  ['an _id', { _id: 1 }, {}, 'IXSCAN'],
  ['a field without an index', { d: 1 }, {}, 'COLLSCAN'],
  ['the second field of a compound index', { c: 1 }, {}, 'COLLSCAN'],
  ['an $or with a branch that has none', { $or: [{ a: 1 }, { d: 2 }] }, {}, 'COLLSCAN'],
]

test.each(planCases)('%s is explained', async (_, filter, order, stage) => {
  const collection = contract.db.collection<Document>('explained')
  await collection.createIndexes([{ key: { a: 1 } }, { key: { b: 1, c: -1 } }])
  const stages = planStages(await collection.find(filter, { sort: order }).explain('queryPlanner'))
  expect(stages).toContain(stage)
  expect(stages.includes('COLLSCAN')).toBe(stage === 'COLLSCAN')
})

test('dropping a collection and a database', async () => {
  await contract.db.collection('gone').insertOne({})
  expect(await contract.db.listCollections({ name: 'gone' }).toArray()).toMatchObject([
    { name: 'gone', type: 'collection' },
  ])
  await contract.db.collection('gone').drop()
  expect(await contract.db.listCollections({ name: 'gone' }, { nameOnly: true }).toArray()).toEqual([])
})
