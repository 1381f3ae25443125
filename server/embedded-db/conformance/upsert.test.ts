import type { Document } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { useContractDatabase } from './database.ts'

const contract = useContractDatabase()

interface Item extends Document {
  _id: number
}

let files = 0

/** Creates a collection with these documents. */
async function collectionOf(...documents: Item[]) {
  const collection = contract.db.collection<Item>(`upserts${++files}`)
  if (documents.length > 0) await collection.insertMany(documents)
  return collection
}

describe('upserts', () => {
  test('insert the equalities of the filter, the update and $setOnInsert', async () => {
    const collection = await collectionOf()
    const update = { $set: { b: 2 }, $setOnInsert: { c: 3 }, $inc: { n: 1 } }
    const filter = { _id: 7, a: { $eq: 1 }, 'x.y': 'z', $and: [{ d: 4 }], n: { $gte: 0 } }
    const result = await collection.updateOne(filter, update, { upsert: true })
    expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1, upsertedId: 7 })
    expect(await collection.findOne()).toEqual({ _id: 7, a: 1, b: 2, c: 3, d: 4, n: 1, x: { y: 'z' } })
    await collection.updateOne({ _id: 7 }, update, { upsert: true })
    expect(await collection.findOne()).toMatchObject({ c: 3, n: 2 })
  })

  test('findOneAndUpdate gives null before and the document after', async () => {
    const collection = await collectionOf()
    const change = { $set: { a: 1 } }
    expect(await collection.findOneAndUpdate({ _id: 1 }, change, { upsert: true })).toBeNull()
    const after = await collection.findOneAndUpdate({ _id: 2 }, change, { upsert: true, returnDocument: 'after' })
    expect(after).toEqual({ _id: 2, a: 1 })
  })

  const expr = { $expr: { $lt: ['$n', 5] } }
  test.each<[string, Document]>([
    ['at the top', expr],
    ['in $and', { $and: [{ n: 1 }, expr] }],
    ['deeper', { $nor: [{ $or: [{ n: 1 }, expr] }] }],
  ])('are refused with $expr %s, also where a document matches', async (_, filter) => {
    const collection = await collectionOf({ _id: 1, n: 2 })
    const change = { $set: { a: 1 } }
    const refusal = {
      code: 224,
      message: expect.stringContaining('$expr is not allowed in the query predicate for an upsert'),
    }
    const upsert = { upsert: true }
    await expect(collection.updateOne({ _id: 1, ...filter }, change, upsert)).rejects.toMatchObject(refusal)
    await expect(collection.updateMany(filter, change, upsert)).rejects.toMatchObject(refusal)
    await expect(collection.findOneAndUpdate(filter, change, upsert)).rejects.toMatchObject(refusal)
    const bulk = [{ updateOne: { filter, update: change, upsert: true } }]
    await expect(collection.bulkWrite(bulk)).rejects.toMatchObject(refusal)
    expect(await collection.find().toArray()).toEqual([{ _id: 1, n: 2 }])
    expect((await collection.updateOne({ _id: 1, ...expr }, change)).modifiedCount).toBe(1)
  })
})
