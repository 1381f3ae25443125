import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { assertKnownDataVersion, claimDataVersion, dataVersion } from './data-version.ts'
import { createSystemFactRepository } from './system/system-facts.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const facts = () => createSystemFactRepository(database.connection)

test('data from before versions were stored is marked with this version', async () => {
  await assertKnownDataVersion(database.connection)
  expect(await facts().find('data_version')).toBeNull()
  await claimDataVersion(database.connection)
  await claimDataVersion(database.connection)
  expect(await facts().find('data_version')).toBe(String(dataVersion))
})

test('data of a newer version is refused, and stays as it is', async () => {
  const newer = String(dataVersion + 1)
  await facts().set('data_version', newer)
  const refusal = `The data was written by a newer Awaz (data version ${newer}, this one knows ${dataVersion}).`
  await expect(claimDataVersion(database.connection)).rejects.toThrow(refusal)
  await expect(assertKnownDataVersion(database.connection)).rejects.toThrow(refusal)
  expect(await facts().find('data_version')).toBe(newer)
})
