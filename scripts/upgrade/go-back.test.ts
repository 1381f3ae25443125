import { appendFile, chown, copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Collection } from 'mongoose'
import { expect, test } from 'vitest'
import { dataVersion } from '#data/data-version.ts'
import { prepareData } from '#data/prepare-data.ts'
import { stageRestorePoint } from '#data/restore-points/make-restore-point.ts'
import { listRestorePoints } from '#data/restore-points/restore-points.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { userModel } from '#data/users/user-model.ts'
import { countUnmigrated } from '#testing/earlier-data.ts'
import { storeDocument } from '#testing/recordings.ts'
import { runAwaz } from '../backup/testing/command-line.ts'
import {
  runGoBack,
  dataFileOf,
  environmentOf,
  makeEarlierFolder,
  readAll,
  readEarlier,
  settingsOf,
  silent,
  upgrade,
  withDatabase,
} from './testing/earlier-folder.ts'

test('the way back restores every document, says what is lost, and can be gone back itself', async () => {
  const { dataDir, documents } = await makeEarlierFolder()
  await upgrade(dataDir)
  await withDatabase(dataDir, async (connection) => {
    const owner = await userModel(connection).findOne().lean()
    await storeDocument(connection, { ownerId: String(owner?._id) })
    await storeDocument(connection, { ownerId: String(owner?._id) })
    await connection.collection('audit_events').insertOne({ at: new Date(), action: 'login' })
  })
  const upgraded = await readAll(dataDir)

  const refused = await runGoBack(dataDir)
  expect([refused.status, refused.stdout]).toEqual([1, expect.stringContaining('Nothing was changed')])
  expect(await readAll(dataDir)).toEqual(upgraded)

  const { status, stdout } = await runGoBack(dataDir, '--yes')
  expect([status, stdout]).toEqual([0, expect.stringContaining('  2 recordings\n')])
  expect(stdout).not.toContain(' accounts\n')
  expect(stdout).toContain('  1 events of the audit trail\n')
  expect(stdout).toContain('Valid again are sessions that have ended since')
  expect(stdout).toContain('Webhook calls that were waiting then are sent again')
  expect(await readEarlier(dataDir)).toEqual(documents)
  const kept = /--back (\S+)/.exec(stdout)?.[1] ?? ''
  expect(await readdir(join(dataDir, 'db'))).toEqual(['awaz.sqlite', 'awaz.sqlite.reserve'])

  const history = join(dataDir, 'restore-points', 'history.jsonl')
  const wentBack = { at: expect.any(String), to: expect.stringMatching(/-data-0$/), kept }
  expect(JSON.parse(await readFile(history, 'utf8'))).toEqual(wentBack)

  expect((await runGoBack(dataDir, kept, '--yes')).status).toBe(0)
  expect(await readAll(dataDir)).toEqual(upgraded)
})

test('API keys that were revoked since are counted before the question', async () => {
  const { dataDir } = await makeEarlierFolder()
  const change = (run: (keys: Collection) => Promise<unknown>) =>
    withDatabase(dataDir, (connection) => run(connection.collection('api_keys')))
  await change((keys) => keys.insertOne({ name: 'script' }))
  await upgrade(dataDir)
  await change((keys) => keys.deleteMany({}))
  expect((await runGoBack(dataDir)).stdout).toContain('1 API key deleted since comes back, valid until it expires.\n')
})

test('the same data can be upgraded again after the way back, and the last two restore points are kept', async () => {
  const { dataDir } = await makeEarlierFolder()
  for (let round = 0; round < 2; round++) {
    await upgrade(dataDir)
    expect(await withDatabase(dataDir, countUnmigrated)).toBe(0)
    const points = await listRestorePoints(dataDir)
    expect(
      (await runGoBack(dataDir, points.find((point) => point.dataVersion === 0)?.name ?? '', '--yes')).status,
    ).toBe(0)
    expect(await withDatabase(dataDir, countUnmigrated)).toBe(5)
  }
  const points = await listRestorePoints(dataDir)
  expect(points.map((point) => point.dataVersion)).toEqual([dataVersion, 0])
  const listed = await runAwaz(['upgrade', '--list'], environmentOf(dataDir))
  expect(listed.stdout.trim().split('\n')).toHaveLength(2)
})

test('a running Awaz, a damaged restore point and an unknown one are refused, and nothing changes', async () => {
  const { dataDir } = await makeEarlierFolder()
  const none = await runGoBack(dataDir, '--yes')
  expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('There is no restore point in')])
  await upgrade(dataDir)
  const upgraded = await readAll(dataDir)
  const running = await withDatabase(dataDir, () => runGoBack(dataDir, '--yes'))
  expect([running.status, running.stderr]).toEqual([1, expect.stringContaining('Awaz is running on')])
  await withDatabase(dataDir, async (_connection, uri) => {
    await writeFile(join(dataDir, 'db', 'uri'), uri)
    expect((await runGoBack(dataDir, '--yes')).stderr).toContain('Awaz is running on')
    await rm(join(dataDir, 'db', 'uri'))
  })
  const unknown = await runGoBack(dataDir, 'another', '--yes')
  expect(unknown.stderr).toContain('There is no restore point another')
  const [point] = await listRestorePoints(dataDir)
  await appendFile(point?.dataFile ?? '', 'x')
  const damaged = await runGoBack(dataDir, '--yes')
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

  const { status, stdout } = await runGoBack(dataDir, kept.name, '--yes')
  expect([status, stdout]).toEqual([0, expect.stringContaining(`replaced is kept: awaz upgrade --back ${kept.name}`)])
  expect(await readAll(dataDir)).toEqual(upgraded)
})

test.skipIf(process.getuid?.() !== 0)('going back is refused to another user than that of the database', async () => {
  const { dataDir } = await makeEarlierFolder()
  await upgrade(dataDir)
  // As service managers and container engines leave it: root owns the folder, and Awaz's user owns the files that Awaz made in it.
  for (const path of ['db', 'db/awaz.sqlite']) await chown(join(dataDir, path), 65_534, 65_534)
  const { status, stdout, stderr } = await runGoBack(dataDir, '--yes')
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringContaining('belongs to user 65534, and this is user 0.'),
  ])
  expect(await listRestorePoints(dataDir)).toHaveLength(1)
  expect((await stat(dataFileOf(dataDir))).uid).toBe(65_534)
})

test('older code refuses the data of newer code, and names the way back', async () => {
  const { dataDir } = await makeEarlierFolder()
  await upgrade(dataDir)
  await withDatabase(dataDir, async (connection) => {
    await createSystemFactRepository(connection).set('data_version', String(dataVersion + 1))
    const start = prepareData({ connection, config: settingsOf(dataDir), log: silent })
    await expect(start).rejects.toThrow(`data version ${dataVersion + 1}, this one knows ${dataVersion}`)
  })
})
