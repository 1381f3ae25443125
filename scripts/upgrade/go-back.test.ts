import { appendFile, copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '#data/connect.ts'
import { dataVersion } from '#data/data-version.ts'
import { prepareData } from '#data/prepare-data.ts'
import { stageRestorePoint } from '#data/restore-points/make-restore-point.ts'
import { listRestorePoints } from '#data/restore-points/restore-points.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { userModel } from '#data/users/user-model.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { countUnmigrated, storeEarlierData } from '#testing/earlier-data.ts'
import { storeDocument } from '#testing/recordings.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readDatabase } from '../backup/testing/instance.ts'
import { runAwaz } from '../backup/testing/command-line.ts'

const silent = { info: () => undefined }

/** Runs the embedded database of a data folder while `use` does. */
async function withDatabase<T>(dataDir: string, use: (connection: DatabaseConnection, uri: string) => Promise<T>) {
  const runtimeDir = await makeRuntimeFolder()
  onTestFinished(() => rm(runtimeDir, { recursive: true, force: true }))
  await mkdir(join(dataDir, 'db'), { recursive: true })
  const dataFile = join(dataDir, 'db', 'awaz.sqlite')
  const engine = await startEmbeddedDatabase({ dataFile, socketPath: join(runtimeDir, 'db.sock') })
  const database = await connectDatabase({ mongodbUri: engine.uri })
  try {
    return await use(database.connection, engine.uri)
  } finally {
    await database.close()
    await engine.stop()
  }
}

const readAll = (dataDir: string) => withDatabase(dataDir, (_connection, uri) => readDatabase({ uri, dbName: 'awaz' }))
/** Without the lease under which the restore point was made: it is in the copy, and expires. */
const readEarlier = async (dataDir: string) => ({ ...(await readAll(dataDir)), system_facts: undefined })
const setting = (dataDir: string) => ({ dataDir, isRestorePointSkipped: false })
/** With a short lease: a start that follows the way back at once waits for the end of the one in the copy. */
const upgrade = (dataDir: string) =>
  withDatabase(dataDir, (connection) =>
    prepareData({ connection, config: setting(dataDir), log: silent, leaseMs: 300 }),
  )
const environment = (dataDir: string) => ({ DATA_DIR: dataDir, MONGODB_URI: '' })
const back = (dataDir: string, ...args: string[]) => runAwaz(['upgrade', '--back', ...args], environment(dataDir))

/** Makes the data folder of an earlier version. Returns it with every document in it. */
async function makeEarlierFolder() {
  const dataDir = await temporaryFolder()
  await withDatabase(dataDir, (connection) => storeEarlierData(connection, { users: 3, transcriptions: 2 }))
  return { dataDir, documents: await readEarlier(dataDir) }
}

test('the way back restores every document, says what is lost, and can be gone back itself', async () => {
  const { dataDir, documents } = await makeEarlierFolder()
  await upgrade(dataDir)
  await withDatabase(dataDir, async (connection) => {
    const owner = await userModel(connection).findOne().lean()
    await storeDocument(connection, { ownerId: String(owner?._id) })
    await storeDocument(connection, { ownerId: String(owner?._id) })
  })
  const upgraded = await readAll(dataDir)

  const refused = await back(dataDir)
  expect([refused.status, refused.stdout]).toEqual([1, expect.stringContaining('Nothing was changed')])
  expect(await readAll(dataDir)).toEqual(upgraded)

  const { status, stdout } = await back(dataDir, '--yes')
  expect([status, stdout]).toEqual([0, expect.stringContaining('  2 recordings\n')])
  expect(stdout).not.toContain('accounts')
  expect(await readEarlier(dataDir)).toEqual(documents)
  const kept = /--back (\S+)/.exec(stdout)?.[1] ?? ''
  expect(await readdir(join(dataDir, 'db'))).toEqual(['awaz.sqlite', 'awaz.sqlite.reserve'])

  expect((await back(dataDir, kept, '--yes')).status).toBe(0)
  expect(await readAll(dataDir)).toEqual(upgraded)
})

test('the same data can be upgraded again after the way back, and the last two restore points are kept', async () => {
  const { dataDir } = await makeEarlierFolder()
  for (let round = 0; round < 2; round++) {
    await upgrade(dataDir)
    expect(await withDatabase(dataDir, countUnmigrated)).toBe(0)
    const points = await listRestorePoints(dataDir)
    expect((await back(dataDir, points.find((point) => point.dataVersion === 0)?.name ?? '', '--yes')).status).toBe(0)
    expect(await withDatabase(dataDir, countUnmigrated)).toBe(5)
  }
  const points = await listRestorePoints(dataDir)
  expect(points.map((point) => point.dataVersion)).toEqual([dataVersion, 0])
  const listed = await runAwaz(['upgrade', '--list'], environment(dataDir))
  expect(listed.stdout.trim().split('\n')).toHaveLength(2)
})

test('a running Awaz, a damaged restore point and an unknown one are refused, and nothing changes', async () => {
  const { dataDir } = await makeEarlierFolder()
  const none = await back(dataDir, '--yes')
  expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('There is no restore point in')])
  await upgrade(dataDir)
  const upgraded = await readAll(dataDir)
  const running = await withDatabase(dataDir, () => back(dataDir, '--yes'))
  expect([running.status, running.stderr]).toEqual([1, expect.stringContaining('Awaz is running on')])
  await withDatabase(dataDir, async (_connection, uri) => {
    await writeFile(join(dataDir, 'db', 'uri'), uri)
    expect((await back(dataDir, '--yes')).stderr).toContain('Awaz is running on')
    await rm(join(dataDir, 'db', 'uri'))
  })
  const unknown = await back(dataDir, 'another', '--yes')
  expect(unknown.stderr).toContain('There is no restore point another')
  const [point] = await listRestorePoints(dataDir)
  await appendFile(point?.dataFile ?? '', 'x')
  const damaged = await back(dataDir, '--yes')
  expect([damaged.status, damaged.stderr]).toEqual([1, expect.stringContaining('is damaged')])
  expect(await readAll(dataDir)).toEqual(upgraded)
})

test('the data that was replaced is kept where the way back was killed right after it', async () => {
  const { dataDir, documents } = await makeEarlierFolder()
  await upgrade(dataDir)
  const upgraded = await readAll(dataDir)
  const [point] = await listRestorePoints(dataDir)
  const live = join(dataDir, 'db', 'awaz.sqlite')
  const kept = await stageRestorePoint(live, dataDir, { dataVersion, fromVersion: null })
  await copyFile(point?.dataFile ?? '', `${live}.incoming`)
  await rename(`${live}.incoming`, live)
  expect(await readEarlier(dataDir)).toEqual(documents)

  const { status, stdout } = await back(dataDir, kept.name, '--yes')
  expect([status, stdout]).toEqual([0, expect.stringContaining(`replaced is kept: awaz upgrade --back ${kept.name}`)])
  expect(await readAll(dataDir)).toEqual(upgraded)
})

test('a database that cannot be read is replaced, and what is lost is not counted', async () => {
  const { dataDir, documents } = await makeEarlierFolder()
  await upgrade(dataDir)
  await writeFile(join(dataDir, 'db', 'awaz.sqlite'), 'no database'.repeat(10_000))
  const { status, stdout } = await back(dataDir, '--yes')
  expect([status, stdout]).toEqual([0, expect.stringContaining('it cannot be counted')])
  expect(await readEarlier(dataDir)).toEqual(documents)
})

test('older code refuses the data of newer code, and names the way back', async () => {
  const { dataDir } = await makeEarlierFolder()
  await upgrade(dataDir)
  await withDatabase(dataDir, async (connection) => {
    await createSystemFactRepository(connection).set('data_version', String(dataVersion + 1))
    const start = prepareData({ connection, config: setting(dataDir), log: silent })
    await expect(start).rejects.toThrow(`data version ${dataVersion + 1}, this one knows ${dataVersion}`)
  })
})
