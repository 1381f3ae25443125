import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '#data/connect.ts'
import { listRestorePoints, restorePointsFolder } from '#data/restore-points/restore-points.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { seededRandom } from '#engine/speech/seeded-random.ts'
import { countUnmigrated, countUnmigratedInFile, storeEarlierData } from '#testing/earlier-data.ts'
import { startKillableDatabase } from '#testing/killable-database.ts'
import { roundCount } from '#testing/rounds.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createMigrationRecords } from './migration-records.ts'
import { migrations } from './migrations.ts'

const script = join(import.meta.dirname, '../../../testing/prepare-data-process.ts')
const kills = roundCount(20)
/** Documents that fill twelve pages in that process. */
const count = 60
const earlier: Record<string, { users: number; transcriptions: number }> = {
  users: { users: count, transcriptions: 0 },
  jobs: { users: 1, transcriptions: count },
}

/** Runs the migrations in a process that is killed once it has printed this many lines. Returns whether it ended by itself. */
async function endsBefore(killAfterLines: number, args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let lines = 0
  createInterface({ input: child.stdout }).on('line', () => {
    lines += 1
    if (lines === killAfterLines) child.kill('SIGKILL')
  })
  await closed
  expect([0, null]).toContain(child.exitCode)
  return child.exitCode === 0
}

for (const { name, collection } of migrations) {
  test(
    `${name} ends whole after ${kills} kills at random`,
    { tags: ['rounds'], timeout: 60_000 + kills * 20_000 },
    async () => {
      const engine = await startKillableDatabase()
      onTestFinished(() => engine.remove())
      const database = await connectDatabase({ mongodbUri: engine.uri })
      onTestFinished(() => database.close())
      const { connection } = database
      const dbName = connection.db?.databaseName ?? ''
      const random = seededRandom(31)
      let killed = 0
      while (killed < kills) {
        await connection.dropDatabase()
        await storeEarlierData(connection, earlier[collection] ?? { users: 0, transcriptions: 0 })
        const unmigrated = await countUnmigrated(connection)
        expect(unmigrated).toBeGreaterThanOrEqual(count)
        const dataDir = await temporaryFolder()
        while (!(await endsBefore(1 + Math.floor(random() * 6), [engine.uri, dataDir]))) killed += 1
        expect(await countUnmigrated(connection)).toBe(0)
        expect(await createMigrationRecords(connection).listPending(migrations)).toEqual([])
        const points = await listRestorePoints(dataDir)
        expect(points).not.toEqual([])
        for (const { dataFile } of points) expect(countUnmigratedInFile(dataFile, dbName)).toBe(unmigrated)
        expect(await createSystemFactRepository(connection).find('restore_point')).toBeNull()
        expect(await readdir(restorePointsFolder(dataDir))).toHaveLength(points.length)
      }
    },
  )
}

test('of two processes that start at once one makes the restore point and migrates, and both are ready', async () => {
  const engine = await startKillableDatabase()
  onTestFinished(() => engine.remove())
  const database = await connectDatabase({ mongodbUri: engine.uri })
  onTestFinished(() => database.close())
  await storeEarlierData(database.connection, { users: count, transcriptions: count })
  const dataDir = await temporaryFolder()
  const run = () => endsBefore(Infinity, [engine.uri, dataDir])
  expect(await Promise.all([run(), run()])).toEqual([true, true])
  expect(await countUnmigrated(database.connection)).toBe(0)
  expect(await listRestorePoints(dataDir)).toHaveLength(1)
  const records = await database.connection.collection('migrations').find().toArray()
  expect(records.map(({ passed }) => Number(passed))).toEqual([count, count])
})
