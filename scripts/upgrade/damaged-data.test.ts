import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectDatabase } from '#data/connect.ts'
import { listRestorePoints } from '#data/restore-points/restore-points.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { runAwaz } from '../backup/testing/command-line.ts'
import {
  runGoBack,
  dataFileOf,
  environmentOf,
  makeEarlierFolder,
  readEarlier,
  startDatabase,
  upgrade,
  withDatabase,
} from './testing/earlier-folder.ts'

/** Upgrades an earlier folder, and kills its database when its last write is only in the log. */
async function makeKilledFolder() {
  const { dataDir, documents } = await makeEarlierFolder()
  await upgrade(dataDir)
  // SQLite does not apply a log to a file that is far shorter than the log says.
  await withDatabase(dataDir, (connection) =>
    createSystemFactRepository(connection).set('padding', 'x'.repeat(2_000_000)),
  )
  const engine = await startDatabase(dataDir)
  const database = await connectDatabase({ mongodbUri: engine.uri })
  await createSystemFactRepository(database.connection).set('a_test', 'in the log')
  process.kill(engine.pid, 'SIGKILL')
  await Promise.all([engine.exited, database.close()])
  return { dataDir, documents, dataFile: dataFileOf(dataDir) }
}

test('a database that cannot be read for another reason than damage is not replaced, and keeps its last writes', async () => {
  const { dataDir } = await makeKilledFolder()
  const environment = { ...environmentOf(dataDir), XDG_RUNTIME_DIR: join(dataDir, 'missing') }
  const { status, stderr } = await runAwaz(['upgrade', '--back', '--yes'], environment)
  expect([status, stderr]).toEqual([1, expect.stringContaining('The database could not be read: ENOENT')])
  expect(await listRestorePoints(dataDir)).toHaveLength(1)
  const read = withDatabase(dataDir, (connection) => createSystemFactRepository(connection).find('a_test'))
  expect(await read).toBe('in the log')
})

test('a missing database is not made, and there is nothing to go back from', async () => {
  const { dataDir, dataFile } = await makeKilledFolder()
  for (const suffix of ['', '-wal']) await rm(`${dataFile}${suffix}`)
  const { status, stderr } = await runGoBack(dataDir, '--yes')
  expect([status, stderr]).toEqual([1, expect.stringContaining(`There is no database in ${dataDir}.`)])
  expect(await readdir(join(dataDir, 'db'))).toEqual(['awaz.sqlite.reserve'])
})

test('a damaged database is replaced, and kept with the log that could not be applied to it', async () => {
  const { dataDir, documents, dataFile } = await makeKilledFolder()
  const damaged = 'no database'.repeat(100)
  await writeFile(dataFile, damaged)
  const log = await readFile(`${dataFile}-wal`)
  const { status, stdout } = await runGoBack(dataDir, '--yes')
  expect([status, stdout]).toEqual([0, expect.stringContaining('it cannot be counted: file is not a database')])
  const [kept] = await listRestorePoints(dataDir)
  const folder = kept?.folder ?? ''
  expect(stdout).toContain(`The damaged database is kept in ${folder}.`)
  expect(await readFile(join(folder, 'awaz.sqlite'), 'utf8')).toBe(damaged)
  expect(await readFile(join(folder, 'awaz.sqlite-wal'))).toEqual(log)
  expect(await readEarlier(dataDir)).toEqual(documents)
})

test('damage behind the first page is found, and the last writes are in what is kept', async () => {
  const { dataDir, documents, dataFile } = await makeKilledFolder()
  await writeFile(dataFile, (await readFile(dataFile)).fill(0x5a, 4096))
  const { status, stdout } = await runGoBack(dataDir, '--yes')
  expect([status, stdout]).toEqual([0, expect.stringContaining('it cannot be counted')])
  const [kept] = await listRestorePoints(dataDir)
  expect((await readFile(kept?.dataFile ?? '')).includes('in the log')).toBe(true)
  expect(await readEarlier(dataDir)).toEqual(documents)
})
