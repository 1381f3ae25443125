import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { holdFollowerLease, followerModel } from './follower-lease.ts'

let database: TestDatabase
const name = 'library'

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const hold = (holder: string) => holdFollowerLease(database.connection, { name, holder })

test('a lease of a process that is gone ends, also where the clock was set back since', async () => {
  expect([await hold('one'), await hold('two'), await hold('one')]).toEqual([0, null, 0])
  const leaseUntil = new Date(Date.now() + 3_600_000)
  await followerModel(database.connection).updateOne({ _id: name }, { $set: { leaseUntil } })
  expect([await hold('two'), await hold('one')]).toEqual([0, null])
})
