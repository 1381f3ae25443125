import { expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '#data/connect.ts'
import { startKillableDatabase } from '#testing/killable-database.ts'
import { storeEarlierData } from '#testing/earlier-data.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { makeRestorePoint } from './make-restore-point.ts'
import { listRestorePoints } from './restore-points.ts'

test('a restore point waits for the copy that another process has begun', async () => {
  const engine = await startKillableDatabase()
  onTestFinished(() => engine.remove())
  const database = await connectDatabase({ mongodbUri: engine.uri })
  onTestFinished(() => database.close())
  const { connection } = database
  await storeEarlierData(connection, { users: 20_000, transcriptions: 0 })
  const dataDir = await temporaryFolder()
  const data = { dataVersion: 0, fromVersion: null, signal: new AbortController().signal }
  const make = () => makeRestorePoint({ connection, dataDir, ...data })
  const names = await Promise.all([make(), make()])
  expect((await listRestorePoints(dataDir)).map(({ name }) => name)).toEqual(names.toSorted().toReversed())
})
