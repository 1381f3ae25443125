import mongoose from 'mongoose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useContractDatabase } from './database.ts'

const contract = useContractDatabase()
let connection: mongoose.Connection

beforeAll(async () => {
  connection = await mongoose.createConnection(contract.uri, { dbName: contract.db.databaseName }).asPromise()
})

afterAll(() => connection.close())

describe('mongoose', () => {
  const schema = new mongoose.Schema(
    {
      email: { type: String, unique: true, required: true },
      count: { type: Number, default: 0 },
      tags: [String],
      items: [{ name: String, size: Number }],
      owner: { type: mongoose.Schema.Types.ObjectId, ref: 'Person' },
      at: { type: Date, expires: 3600 },
    },
    { timestamps: true, optimisticConcurrency: true },
  )

  test('makes indexes, saves, changes arrays and refuses stale versions', async () => {
    const Person = connection.model('Person', schema)
    await Person.init()
    const person = await Person.create({ email: 'a@b.c', tags: ['x'], items: [{ name: 'i', size: 1 }] })
    person.tags.push('y', 'z')
    person.items[0]?.set('size', 9)
    person.items.push({ name: 'j', size: 2 })
    await person.save()
    person.items.pull(person.items[0])
    await person.save()
    const stale = await Person.findById(person._id)
    await Person.updateOne({ _id: person._id }, { $inc: { count: 1, __v: 1 } })
    stale?.set('count', 7)
    await expect(stale?.save()).rejects.toThrow(mongoose.Error.VersionError)
    const found = await Person.findOne({ 'items.name': 'j' }).lean()
    expect(found).toMatchObject({ tags: ['x', 'y', 'z'], count: 1, items: [{ name: 'j', size: 2 }] })
    expect(found?.createdAt).toBeInstanceOf(Date)
  })

  test('reports a taken value as code 11000', async () => {
    const Person = connection.model('Person')
    await Person.create({ email: 'taken' })
    await expect(Person.create({ email: 'taken' })).rejects.toMatchObject({ code: 11000, keyValue: { email: 'taken' } })
  })

  test('upserts, populates, counts, pages and writes in bulk', async () => {
    const Person = connection.model('Person')
    const options = { upsert: true, returnDocument: 'after', setDefaultsOnInsert: true } as const
    const owner = await Person.findOneAndUpdate({ email: 'owner' }, { $set: { tags: ['boss'] } }, options)
    await Person.bulkWrite([
      { insertOne: { document: { email: 'b1', owner: owner._id } } },
      { updateOne: { filter: { email: 'b2' }, update: { $set: { owner: owner._id } }, upsert: true } },
    ])
    const owned = await Person.find({ owner: owner._id }).sort({ email: -1 }).limit(1).populate('owner').lean()
    expect(owned).toMatchObject([{ email: 'b2', owner: { email: 'owner', tags: ['boss'] } }])
    expect(await Person.countDocuments({ owner: { $ne: null } })).toBe(2)
    expect(await Person.exists({ email: /^B1$/i })).not.toBeNull()
    expect(await Person.deleteMany({ owner: owner._id })).toMatchObject({ deletedCount: 2 })
  })
})
