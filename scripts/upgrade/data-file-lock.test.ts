import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectDatabase } from '#data/connect.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import type { EmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { lockDataFile } from './data-file-lock.ts'
import { goBack } from './go-back.ts'
import { dataFileOf, makeEarlierFolder, startDatabase, upgrade, withDatabase } from './testing/earlier-folder.ts'

const factName = 'a_test'
const storeFact = (dataDir: string, value: string) =>
  withDatabase(dataDir, (connection) => createSystemFactRepository(connection).set(factName, value))
const readFact = (dataDir: string) =>
  withDatabase(dataDir, (connection) => createSystemFactRepository(connection).find(factName))

async function makeUpgradedFolder() {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  onTestFinished(() => void vi.restoreAllMocks())
  const { dataDir } = await makeEarlierFolder()
  await upgrade(dataDir)
  return dataDir
}

test('a database that starts while the question is open is not replaced, and keeps what it stores', async () => {
  const dataDir = await makeUpgradedFolder()
  const started = Promise.withResolvers<EmbeddedDatabase>()
  const ask = async () => {
    started.resolve(await startDatabase(dataDir))
    return true
  }
  await expect(goBack({ dataDir }, { isAgreed: false, ask })).rejects.toThrow(`Awaz is running on ${dataDir}.`)
  const engine = await started.promise
  const database = await connectDatabase({ mongodbUri: engine.uri })
  await createSystemFactRepository(database.connection).set(factName, 'stored')
  await database.close()
  await engine.stop()
  expect(await readFact(dataDir)).toBe('stored')
  expect(await readdir(`${dataDir}/db`)).toEqual(['awaz.sqlite', 'awaz.sqlite.reserve'])
})

test('a database that was used while the question was open is not replaced', async () => {
  const dataDir = await makeUpgradedFolder()
  const ask = async () => {
    await storeFact(dataDir, 'meanwhile')
    return true
  }
  await expect(goBack({ dataDir }, { isAgreed: false, ask })).rejects.toThrow('was used while the question was open')
  expect(await readFact(dataDir)).toBe('meanwhile')
})

test('a killed database loses nothing by the lock, under which its log is empty and no other process opens it', async () => {
  const dataDir = await makeUpgradedFolder()
  const file = dataFileOf(dataDir)
  const engine = await startDatabase(dataDir)
  const database = await connectDatabase({ mongodbUri: engine.uri })
  await createSystemFactRepository(database.connection).set(factName, 'stored')
  process.kill(engine.pid, 'SIGKILL')
  await Promise.all([engine.exited, database.close()])
  expect((await stat(`${file}-wal`)).size).toBeGreaterThan(0)

  const lock = await lockDataFile(file)
  // If this process held the lock itself, closing any descriptor of the file would release it.
  await readFile(file)
  expect((await stat(`${file}-wal`)).size).toBe(0)
  await expect(startDatabase(dataDir)).rejects.toThrow('in use by another process')
  await expect(lockDataFile(file)).rejects.toThrow('in use by another process')
  await lock.release()
  expect(await readFact(dataDir)).toBe('stored')
})

test('the end of the lock leaves alone what belongs to the file that has taken the place', async () => {
  const dataDir = await makeUpgradedFolder()
  const file = dataFileOf(dataDir)
  const lock = await lockDataFile(file)
  await rename(file, `${file}.former`)
  await writeFile(file, 'another')
  await writeFile(`${file}-wal`, 'its log')
  await lock.release()
  expect([await readFile(file, 'utf8'), await readFile(`${file}-wal`, 'utf8')]).toEqual(['another', 'its log'])
})
