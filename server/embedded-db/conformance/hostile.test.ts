import { Decimal128, Long, MongoClient, type Collection, type Document } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useContractDatabase } from './database.ts'

const contract = useContractDatabase()
let client: MongoClient
let closedConnections = 0

beforeAll(async () => {
  client = new MongoClient(contract.uri, { maxPoolSize: 4, retryReads: false, retryWrites: false })
  client.on('connectionClosed', () => closedConnections++)
  await client.connect()
})

afterAll(() => client.close())

function collection(name: string): Collection {
  return client.db(contract.db.databaseName).collection(name)
}

/** Returns a document with this nesting depth. */
function nested(levels: number): Document {
  let document: Document = { end: 1 }
  for (let level = 0; level < levels; level++) document = { a: document }
  return document
}

describe('a message with content that cannot be kept', () => {
  test.skipIf(process.env.MONGODB_URI)('is refused by the embedded engine by name', async () => {
    await expect(collection('odd').insertOne({ price: Decimal128.fromString('1.5') })).rejects.toMatchObject({
      code: 115,
      message: expect.stringContaining('0x13 is not supported by the embedded database'),
    })
  })

  test('is refused for its depth, and a path as deep is too', async () => {
    await expect(collection('deep').insertOne(nested(250))).rejects.toMatchObject({ code: 15 })
    const path = Array.from({ length: 250 }, () => 'a').join('.')
    await collection('deep').insertOne({ _id: 1 as never })
    await expect(collection('deep').updateOne({}, { $set: { [path]: 1 } })).rejects.toThrow(/nest|depth/)
    await expect(
      collection('deep').updateOne({ _id: 2 as never }, { $set: { [path]: 1 } }, { upsert: true }),
    ).rejects.toThrow(/nest|depth/)
    expect(await collection('deep').find().toArray()).toEqual([{ _id: 1 }])
  })

  test('costs neither its connection nor the work of others', async () => {
    const before = closedConnections
    const inserts = Array.from({ length: 50 }, (_, i) => collection('others').insertOne({ i }))
    const refused = Array.from({ length: 10 }, () => collection('deep').insertOne(nested(250)))
    expect((await Promise.allSettled(refused)).every(({ status }) => status === 'rejected')).toBe(true)
    await Promise.all(inserts)
    expect(await collection('others').countDocuments()).toBe(50)
    expect(closedConnections).toBe(before)
  })
})

describe('a long command', () => {
  const count = 20_000

  async function fill(name: string): Promise<Collection> {
    const filled = collection(name)
    await filled.createIndex({ at: 1 })
    for (let from = 0; from < count; from += 5000) {
      await filled.insertMany(
        Array.from({ length: 5000 }, (_, i) => ({ n: from + i, at: new Date(from + i), done: 0 })),
      )
    }
    return filled
  }

  /** Returns whether other commands get replies before the work ends. */
  async function isAnsweredDuring(work: Promise<unknown>): Promise<boolean> {
    let isRunning = true
    void work.finally(() => (isRunning = false))
    await collection('beside').findOne({})
    await client.db(contract.db.databaseName).command({ ping: 1 })
    return isRunning
  }

  test('of updates lets others be served, and changes each document once', { timeout: 60_000 }, async () => {
    const filled = await fill('long_update')
    const update = filled.updateMany({}, { $inc: { done: 1 }, $set: { at: new Date(1e12) } })
    expect(await isAnsweredDuring(update)).toBe(true)
    expect(await update).toMatchObject({ matchedCount: count, modifiedCount: count })
    expect(await filled.countDocuments({ done: 1 })).toBe(count)
    expect(await filled.countDocuments({ at: new Date(1e12) })).toBe(count)
  })

  test('of deletes lets others be served, and spares what matches no more', { timeout: 60_000 }, async () => {
    const filled = await fill('long_delete')
    const last = await filled.findOne({ n: count - 1 })
    const deletion = filled.deleteMany({ done: 0 })
    expect(
      await isAnsweredDuring(filled.updateOne({ _id: last?._id }, { $set: { done: 1 } }).then(() => deletion)),
    ).toBe(true)
    await deletion
    expect(await filled.find().toArray()).toMatchObject([{ n: count - 1, done: 1 }])
  })

  test('is finished before its collection is dropped', { timeout: 60_000 }, async () => {
    const filled = await fill('long_dropped')
    const update = filled.updateMany({}, { $inc: { done: 1 } })
    await isAnsweredDuring(update)
    await filled.drop()
    expect((await update).modifiedCount).toBeLessThanOrEqual(count)
    expect(await filled.countDocuments()).toBe(0)
  })

  test('keeps its indexes right while others make and change documents', { timeout: 60_000 }, async () => {
    const filled = await fill('long_mixed')
    const update = filled.updateMany({}, { $set: { at: new Date(5) } })
    await isAnsweredDuring(update)
    await Promise.all([
      filled.insertOne({ n: -1, at: new Date(7), done: 0 }),
      filled.createIndex({ n: 1 }, { unique: true }),
    ])
    await update
    expect(await filled.countDocuments({ at: new Date(5) })).toBe(
      await filled.countDocuments({ done: 0, at: new Date(5) }),
    )
    expect(await filled.find({ n: { $in: [-1, 0, 19_999] } }, { sort: { n: 1 } }).toArray()).toHaveLength(3)
  })
})

describe('a large reply', () => {
  test('of 60,000 errors arrives, and says what was kept', async () => {
    const documents = [...Array.from({ length: 60_000 }, () => ({ _id: 'taken' })), { _id: 'new' }]
    // Not with the driver's insertMany, which takes half a minute to build 60,000 errors.
    const command = { insert: 'errors', documents, ordered: false }
    const reply = await client.db(contract.db.databaseName).command(command, { ignoreUndefined: true })
    expect(reply.n).toBe(2)
    expect(reply.writeErrors).toHaveLength(59_999)
    expect(reply.writeErrors[0]).toMatchObject({ index: 1, code: 11000, errmsg: expect.stringContaining('taken') })
    expect(reply.writeErrors.at(-1)).toMatchObject({ index: 59_999, code: 11000 })
  })

  test('that no message can carry is an error, and the connection stays', { timeout: 60_000 }, async () => {
    const before = closedConnections
    await collection('large').insertMany([1, 2, 3].map((_id) => ({ _id: _id as never, text: 'x'.repeat(7_000_000) })))
    const merged = [{ $group: { _id: null, all: { $max: '$text' } } }, { $set: { a: '$all', b: '$all', c: '$all' } }]
    await expect(collection('large').aggregate(merged).toArray()).rejects.toMatchObject({ code: 10334 })
    expect(closedConnections).toBe(before)
  })

  test.skipIf(process.env.MONGODB_URI)(
    'given up after its first document holds no memory',
    { timeout: 120_000 },
    async () => {
      const chunks = collection('chunks')
      for (let n = 0; n < 60; n++) await chunks.insertOne({ n, data: Buffer.alloc(4_000_000, n) })
      const resident = async () => Number((await client.db('admin').command({ serverStatus: 1 })).mem.resident)
      const before = await resident()
      const cursors = await Promise.all(
        [1, 2, 3, 4, 5, 6].map(async () => {
          const cursor = chunks.find({}, { batchSize: 1 })
          expect((await cursor.next())?.n).toBe(0)
          return cursor
        }),
      )
      // Six results of 240 MB each would be 1,440 MB; garbage of earlier reads takes about 200 MB.
      expect((await resident()) - before).toBeLessThan(400)
      expect((await cursors[0]?.next())?.n).toBe(1)
      for (const cursor of cursors) await cursor.close()
    },
  )
})

describe('what cannot be done', () => {
  test('is refused: two arrays in one index', async () => {
    await collection('arrays').createIndex({ a: 1, b: 1 })
    await collection('arrays').insertOne({ a: [1, 2], b: 3 })
    await expect(collection('arrays').insertOne({ a: [1, 2], b: [3, 4] })).rejects.toMatchObject({ code: 171 })
    await expect(collection('arrays').updateOne({ a: 1 }, { $set: { b: [3] } })).rejects.toMatchObject({ code: 171 })
    expect(await collection('arrays').find({ b: 3 }).toArray()).toHaveLength(1)
  })

  test('is refused by name where MongoDB may know it', async () => {
    if (!contract.isEmbedded) return
    const sentence = 'the embedded database does not support it; MongoDB may'
    await expect(collection('x').findOne({ a: { $mod: [2, 0] } })).rejects.toThrow(`$mod; ${sentence}`)
    await expect(
      collection('x')
        .aggregate([{ $facet: {} }])
        .toArray(),
    ).rejects.toThrow(`'$facet'; ${sentence}`)
  })

  test('letters of all scripts are matched by their property', async () => {
    await collection('scripts').insertOne({ text: 'سلام' })
    expect(await collection('scripts').countDocuments({ text: /^\p{L}+$/u })).toBe(1)
  })
})

test('a number type that is kept as it came stays so', async () => {
  await collection('numbers').insertOne({ long: Long.fromString('9007199254740993') })
  expect(String((await collection('numbers').findOne({}, { promoteLongs: false }))?.long)).toBe('9007199254740993')
})
