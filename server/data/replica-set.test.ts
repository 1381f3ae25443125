import { Schema } from 'mongoose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startScriptedMongo, type ScriptedMongo } from '#testing/scripted-mongo/scripted-mongo.ts'
import { connectDatabase, type Database } from './connect.ts'
import { isDatabaseUnavailable } from './database-errors.ts'

let direct: TestDatabase
let mongo: ScriptedMongo
let opened: Database[] = []

beforeEach(async () => {
  direct = await createTestDatabase({ isEmbedded: true })
})
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()))
  opened = []
  await mongo.close()
  await direct.drop()
})

async function open(options: { query?: string; electionTimeoutMs?: number } = {}) {
  const { query = '', ...others } = options
  const database = await connectDatabase({ mongodbUri: mongo.uri + query }, { dbName: direct.dbName, ...others })
  opened.push(database)
  return database.connection.model('note', new Schema({ count: Number }))
}

const commandsOf = (name: string) => mongo.commands.filter((command) => name in command)

describe('on a replica set', () => {
  beforeEach(async () => {
    mongo = await startScriptedMongo({ upstreamUri: direct.uri })
  })

  test('a write is acknowledged by most members and their journals, and a read asks the primary, whatever the URI says', async () => {
    const notes = await open({
      query:
        '&w=1&journal=false&wtimeoutMS=5&retryWrites=false&readPreference=secondaryPreferred&readConcernLevel=available',
    })
    await notes.create({ count: 1 })
    await notes.findOne({ count: 1 }).lean()
    expect(commandsOf('insert')).toMatchObject([
      { writeConcern: { w: 'majority', j: true, wtimeout: 0 }, txnNumber: expect.anything() },
    ])
    expect(commandsOf('find')).toMatchObject([{ readConcern: { level: 'local' } }])
  })

  test.each([
    [3, 3],
    [2, 2],
    [1, 'majority'],
    [0, 'majority'],
  ])('the URI may raise the number of members that acknowledge: w=%j', async (given, expected) => {
    const notes = await open({ query: `&w=${given}` })
    // Only one database is behind it, which refuses a write concern of more than one member.
    await notes.create({ count: 1 }).catch(() => undefined)
    expect(commandsOf('insert')).toMatchObject([{ writeConcern: { w: expected, j: true } }])
  })

  test('reads and writes wait for a new primary, and a write is carried out once', async () => {
    const notes = await open()
    const { _id } = await notes.create({ count: 0 })
    const election = mongo.stepDown(3500)
    const [found, written] = await Promise.all([
      notes.findById(_id).lean(),
      notes.updateOne({ _id }, { $inc: { count: 1 } }),
    ])
    await election
    expect(found).toMatchObject({ _id })
    expect(written.modifiedCount).toBe(1)
    expect(await notes.findById(_id).lean()).toMatchObject({ count: 1 })
  })

  test('a write whose reply was lost with the primary is carried out once', async () => {
    const notes = await open()
    const { _id } = await notes.create({ count: 0 })
    const lost = mongo.failNext(({ name }) => name === 'update', 'lose_reply')
    const written = notes.updateOne({ _id }, { $inc: { count: 1 } }).exec()
    await lost
    await mongo.killPrimary(1000)
    expect((await written).modifiedCount).toBe(1)
    expect(await notes.findById(_id).lean()).toMatchObject({ count: 1 })
  })

  test('a call fails as unavailable where no primary is elected in time', async () => {
    const notes = await open({ electionTimeoutMs: 500 })
    void mongo.stepDown(60_000).catch(() => undefined)
    const error: unknown = await notes.findOne({}).catch((failure: unknown) => failure)
    expect(isDatabaseUnavailable(error)).toBe(true)
  })
})

describe('on the embedded database', () => {
  test('writes are acknowledged when they are on the disk, and are not repeated by the driver', async () => {
    mongo = await startScriptedMongo({ upstreamUri: direct.uri, kind: 'embedded' })
    const notes = await open({ query: '&w=0' })
    await notes.create({ count: 1 })
    const [insert] = commandsOf('insert')
    expect(insert).toMatchObject({ writeConcern: { w: 'majority', j: true } })
    expect(insert).not.toHaveProperty('txnNumber')
    const lost = mongo.failNext(({ name }) => name === 'insert', 'lose_reply')
    await expect(notes.create({ count: 2 })).rejects.toThrow(/closed|ECONNRESET|timed out/)
    await lost
    expect(commandsOf('insert')).toHaveLength(2)
  })
})

describe('a version that is too old', () => {
  test.each([
    ['4.4.29', 9, 'MongoDB 4.4.29 is too old: Awaz needs MongoDB 5.0 or later.'],
    ['3.6.23', 6, 'MongoDB with wire version 6 is too old: Awaz needs MongoDB 5.0 or later.'],
  ])('is refused by one sentence: %s', async (version, maxWireVersion, sentence) => {
    mongo = await startScriptedMongo({ upstreamUri: direct.uri, claimed: { version, maxWireVersion } })
    await expect(open()).rejects.toThrow(sentence)
  })

  test.each([
    ['5.0.31', 13],
    ['8.0.4', 25],
  ])('is not %s', async (version, maxWireVersion) => {
    mongo = await startScriptedMongo({ upstreamUri: direct.uri, claimed: { version, maxWireVersion } })
    const notes = await open()
    expect(await notes.countDocuments()).toBe(0)
  })
})
