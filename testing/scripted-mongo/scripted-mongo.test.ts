import { MongoClient } from 'mongodb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { startScriptedMongo, type ScriptedMongo } from './scripted-mongo.ts'

let database: TestDatabase
let set: ScriptedMongo
let client: MongoClient

beforeEach(async () => {
  database = await createTestDatabase({ isEmbedded: true })
  set = await startScriptedMongo({ upstreamUri: database.uri })
  client = await MongoClient.connect(set.uri, { serverSelectionTimeoutMS: 1500 })
})
afterEach(async () => {
  await client.close()
  await set.close()
  await database.drop()
})

const notes = () => client.db(database.dbName).collection<{ _id: number; count?: number }>('notes')

describe('a scripted replica set', () => {
  test('carries out commands on its primary alone', async () => {
    await notes().insertOne({ _id: 1 })
    expect(await notes().findOne({ _id: 1 })).toEqual({ _id: 1 })
    const secondaries = client.db(database.dbName).collection<{ _id: number }>('notes', { readPreference: 'secondary' })
    await expect(secondaries.findOne({ _id: 1 })).rejects.toThrow('not primary')
  })

  test('serves again after an election', async () => {
    const election = set.stepDown(200)
    await notes().insertOne({ _id: 1 })
    await election
    const second = set.killPrimary(200)
    expect(await notes().countDocuments()).toBe(1)
    await second
  })

  test('carries out a write once whose reply was lost and that the driver repeats', async () => {
    await notes().insertOne({ _id: 1, count: 0 })
    const lost = set.failNext(({ name }) => name === 'update', 'lose_reply')
    const { modifiedCount } = await notes().updateOne({ _id: 1 }, { $inc: { count: 1 } })
    await lost
    expect(modifiedCount).toBe(1)
    expect(await notes().findOne({ _id: 1 })).toEqual({ _id: 1, count: 1 })
  })

  test('refuses connections, and drops a command before it is carried out', async () => {
    const dropped = set.failNext(({ name }) => name === 'insert', 'drop')
    await notes().insertOne({ _id: 1 })
    await dropped
    set.setMembers('refusing')
    await expect(notes().findOne({ _id: 1 })).rejects.toThrow(/closed|ECONNRESET|timed out/)
    set.setMembers('up')
    expect(await notes().findOne({ _id: 1 })).toEqual({ _id: 1 })
  })
})
