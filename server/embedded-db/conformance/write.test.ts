import { ObjectId, type Document, type MongoBulkWriteError } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { useContractDatabase } from './database.ts'

const contract = useContractDatabase()

interface Item extends Document {
  _id: number
}

describe('inserts', () => {
  test('make an _id and put it first', async () => {
    const collection = contract.db.collection('made')
    await contract.db.command({ insert: 'made', documents: [{ a: 1 }, { b: 2, _id: 'last' }] })
    const found = await collection.find().toArray()
    expect(found.map((document) => Object.keys(document)[0])).toEqual(['_id', '_id'])
    expect(found[0]?._id).toBeInstanceOf(ObjectId)
  })

  test('stop at the first refused document when ordered', async () => {
    const collection = contract.db.collection<Item>('ordered')
    const error: MongoBulkWriteError = await collection
      .insertMany([{ _id: 1 }, { _id: 2 }, { _id: 1 }, { _id: 3 }])
      .then(
        () => expect.unreachable(),
        (reason) => reason,
      )
    expect(error).toMatchObject({ code: 11000, result: { insertedCount: 2 } })
    expect(error.message).toContain('E11000 duplicate key error')
    expect(await collection.countDocuments()).toBe(2)
  })

  test('go on after a refused document when unordered', async () => {
    const collection = contract.db.collection<Item>('unordered')
    const documents = [{ _id: 1 }, { _id: 1 }, { _id: 2 }]
    await expect(collection.insertMany(documents, { ordered: false })).rejects.toMatchObject({ code: 11000 })
    expect(await collection.distinct('_id')).toEqual([1, 2])
  })

  test('refuse an _id that is an array', async () => {
    await expect(contract.db.collection('ids').insertOne({ _id: [1] } as never)).rejects.toMatchObject({ code: 53 })
  })

  test('keep 15 MiB', async () => {
    const text = 'ü'.repeat(7 * 2 ** 20)
    const collection = contract.db.collection<{ _id: number; text: string }>('large')
    await collection.insertMany([
      { _id: 1, text },
      { _id: 2, text },
    ])
    const found = await collection.find().toArray()
    expect(found.map((document) => document.text === text)).toEqual([true, true])
  })

  test('keep every kind of value', async () => {
    const collection = contract.db.collection('kinds')
    const date = new Date('1969-12-31T23:59:59.999Z')
    const values = {
      text: 'a\0ツ\u{1f600}',
      yes: true,
      no: null,
      date,
      list: [[], {}, [1]],
      nested: { '': 1, 'a b': -0.5 },
    }
    await collection.insertOne({ _id: new ObjectId(), ...values })
    expect(await collection.findOne({}, { projection: { _id: 0 } })).toEqual(values)
  })
})

describe('several writes at once', () => {
  test('run in order and count', async () => {
    const collection = contract.db.collection<Item>('bulk')
    const result = await collection.bulkWrite([
      { insertOne: { document: { _id: 1, n: 1 } } },
      { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 1 } } } },
      { updateOne: { filter: { _id: 2 }, update: { $set: { n: 5 } }, upsert: true } },
      { replaceOne: { filter: { _id: 2 }, replacement: { n: 6 } } },
      { deleteOne: { filter: { _id: 1 } } },
    ])
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 2,
      modifiedCount: 2,
      upsertedCount: 1,
      deletedCount: 1,
    })
    expect(await collection.find().toArray()).toEqual([{ _id: 2, n: 6 }])
  })

  test('a change of many keeps what came before a refused document', async () => {
    const collection = contract.db.collection<Item>('many')
    await collection.createIndex({ unique: 1 }, { unique: true, sparse: true })
    await collection.insertMany([{ _id: 1 }, { _id: 2 }])
    await expect(collection.updateMany({}, { $set: { unique: 'same' } })).rejects.toMatchObject({ code: 11000 })
    expect(await collection.countDocuments({ unique: 'same' })).toBe(1)
  })
})

describe('deletes', () => {
  test('remove one or many', async () => {
    const collection = contract.db.collection<Item>('removed')
    await collection.insertMany(Array.from({ length: 6 }, (_, _id) => ({ _id, even: _id % 2 === 0 })))
    expect(await collection.deleteOne({ even: true })).toMatchObject({ deletedCount: 1 })
    expect(await collection.deleteMany({ even: true })).toMatchObject({ deletedCount: 2 })
    expect(await collection.deleteMany({ even: true })).toMatchObject({ deletedCount: 0 })
    expect(await collection.countDocuments()).toBe(3)
  })
})

describe('aggregation', () => {
  test('groups, sorts, counts and shapes', async () => {
    const collection = contract.db.collection<Item>('grouped')
    await collection.insertMany(Array.from({ length: 10 }, (_, _id) => ({ _id, odd: _id % 2, n: _id })))
    const groups = await collection
      .aggregate([
        { $match: { n: { $gt: 1 } } },
        {
          $group: {
            _id: '$odd',
            total: { $sum: '$n' },
            times: { $sum: 1 },
            least: { $min: '$n' },
            most: { $max: '$n' },
            mean: { $avg: '$n' },
          },
        },
        { $sort: { _id: -1 } },
        { $project: { total: 1, times: 1, span: { $subtract: ['$most', '$least'] }, mean: 1 } },
      ])
      .toArray()
    expect(groups).toEqual([
      { _id: 1, total: 24, times: 4, mean: 6, span: 6 },
      { _id: 0, total: 20, times: 4, mean: 5, span: 6 },
    ])
    const page = [{ $sort: { n: -1 } }, { $skip: 2 }, { $limit: 3 }, { $count: 'n' }]
    expect(await collection.aggregate(page).toArray()).toEqual([{ n: 3 }])
    expect(await collection.aggregate([{ $match: { n: 99 } }, { $count: 'n' }]).toArray()).toEqual([])
  })

  test('adds what another collection has, each part with its own stages', async () => {
    const left = contract.db.collection<Item>('union left')
    await left.insertMany([1, 2, 3].map((_id) => ({ _id, n: _id })))
    await contract.db.collection<Item>('union right').insertMany([4, 5, 6].map((_id) => ({ _id, n: _id })))
    const named = (part: string) => ({ $replaceWith: { part, document: '$$ROOT' } })
    const ofRight = [{ $match: { n: { $gt: 4 } } }, { $sort: { n: -1 } }, { $limit: 1 }, named('right')]
    const both = [
      { $match: { n: { $lt: 3 } } },
      { $sort: { n: 1 } },
      named('left'),
      { $unionWith: { coll: 'union right', pipeline: ofRight } },
      { $unionWith: { coll: 'nowhere', pipeline: [] } },
    ]
    expect(await left.aggregate(both).toArray()).toEqual([
      { part: 'left', document: { _id: 1, n: 1 } },
      { part: 'left', document: { _id: 2, n: 2 } },
      { part: 'right', document: { _id: 6, n: 6 } },
    ])
    const fromNowhere = contract.db.collection('nowhere').aggregate([...both, { $count: 'n' }])
    expect(await fromNowhere.toArray()).toEqual([{ n: 1 }])
  })

  test('refuses an unknown stage, even without documents', async () => {
    const unknown = contract.db
      .collection('nowhere')
      .aggregate([{ $unheardOf: {} }])
      .toArray()
    await expect(unknown).rejects.toMatchObject({ code: 40324 })
    const inUnion = contract.db
      .collection('nowhere')
      .aggregate([{ $unionWith: { coll: 'nowhere', pipeline: [{ $unheardOf: {} }] } }])
      .toArray()
    await expect(inUnion).rejects.toMatchObject({ code: 40324 })
  })
})
