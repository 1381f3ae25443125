import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '#data/connect.ts'
import { startKillableDatabase } from '#testing/killable-database.ts'
import { storeEarlierData } from '#testing/earlier-data.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { makeRestorePoint } from './make-restore-point.ts'
import { listRestorePoints, restorePointsFolder } from './restore-points.ts'

/** Starts an embedded database with data of an earlier version. Returns a function that makes restore points, and their folder. */
async function startWithEarlierData(users: number) {
  const engine = await startKillableDatabase()
  onTestFinished(() => engine.remove())
  const database = await connectDatabase({ mongodbUri: engine.uri })
  onTestFinished(() => database.close())
  const { connection } = database
  await storeEarlierData(connection, { users, transcriptions: 0 })
  const dataDir = await temporaryFolder()
  const data = { dataVersion: 0, fromVersion: null, signal: new AbortController().signal }
  return { dataDir, make: () => makeRestorePoint({ connection, dataDir, ...data }) }
}

test('a restore point waits for the copy that another process has begun', async () => {
  const { dataDir, make } = await startWithEarlierData(20_000)
  const names = await Promise.all([make(), make()])
  expect((await listRestorePoints(dataDir)).map(({ name }) => name)).toEqual(names.toSorted().toReversed())
})

test('a restore point is the newest and kept, also where the clock has been set back', async () => {
  const { dataDir, make } = await startWithEarlierData(3)
  const root = restorePointsFolder(dataDir)
  for (const ahead of ['20990101T000000000Z-data-0', '20991231T235959999Z-data-0'])
    await rename(join(root, await make()), join(root, ahead))
  const name = await make()
  const kept = (await listRestorePoints(dataDir)).map((point) => point.name)
  expect(kept).toEqual([name, '20991231T235959999Z-data-0'])
  expect(name).toBe('21000101T000000000Z-data-0')
})
