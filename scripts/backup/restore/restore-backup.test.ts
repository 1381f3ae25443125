import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import type { TestServer } from '#testing/server.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { backUpToFolder } from '../create/create-backup.ts'
import { openServer, optionsFor, readDatabase, readFiles, storeRecording } from '../testing/instance.ts'
import { restoreBackup, type RestoreOptions } from './restore-backup.ts'

const steps = { onStage: () => undefined, onProgress: () => undefined }

async function openServerWithRecording(): Promise<TestServer> {
  const server = await openServer()
  const { id } = await server.createUser()
  await storeRecording(server, id, Buffer.from('the audio'))
  return server
}

/** Backs up a server with a recording, model choices and weights. */
async function backUpWithModels() {
  const server = await openServerWithRecording()
  const options = { ...optionsFor(server), modelsDir: await temporaryFolder(), withModels: true }
  await mkdir(join(options.modelsDir, 'llm'))
  await writeFile(join(options.modelsDir, 'choices.json'), '{}')
  await writeFile(join(options.modelsDir, 'llm', 'weights.gguf'), 'weights')
  return (await backUpToFolder(await temporaryFolder(), options)).path
}

/** Starts an empty database for the running test, which removes expired documents every `sweepIntervalMs`. */
async function openEmptyDatabase({ sweepIntervalMs = 60_000 } = {}) {
  const [folder, runtime] = [await temporaryFolder(), await makeRuntimeFolder()]
  const engine = await startEmbeddedDatabase({
    dataFile: join(folder, 'awaz.sqlite'),
    socketPath: join(runtime, 'db.sock'),
    sweepIntervalMs,
  })
  onTestFinished(async () => {
    await engine.stop()
    await rm(runtime, { recursive: true, force: true })
  })
  return { uri: engine.uri, dbName: 'restored' }
}

/** Creates a collection whose documents expire, with documents that are already due. */
async function createExpiring({ uri, dbName }: { uri: string; dbName: string }, { count = 0 } = {}) {
  const client = await new MongoClient(uri).connect()
  const collection = client.db(dbName).collection('aExpiring')
  await collection.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 })
  if (count > 0) await collection.insertMany(Array.from({ length: count }, () => ({ expiresAt: new Date(2020, 1) })))
  await client.close()
}

async function restore(path: string, options: Partial<RestoreOptions> = {}) {
  const dataDir = options.dataDir ?? (await temporaryFolder())
  const restored = await restoreBackup({ path, modelsDir: join(dataDir, 'models'), ...steps, ...options, dataDir })
  return { ...restored, dataDir }
}

test('documents that expired since the backup are counted before the database removes them', async () => {
  const server = await openServer()
  await createExpiring(optionsFor(server), { count: 50 })
  const { path, manifest } = await backUpToFolder(await temporaryFolder(), optionsFor(server))
  expect(manifest.database.collections).toContainEqual(expect.objectContaining({ name: 'aExpiring', documents: 50 }))
  const mongodb = await openEmptyDatabase({ sweepIntervalMs: 1 })
  await createExpiring(mongodb)
  await restore(path, { mongodb })
  expect((await readDatabase(mongodb)).aExpiring?.indexes).toContain('expiresAt_1')
})

test('a restore that is interrupted while it writes audio leaves nothing in the database, and works when repeated', async () => {
  const server = await openServerWithRecording()
  const { path } = await backUpToFolder(await temporaryFolder(), optionsFor(server))
  const [mongodb, dataDir, stop] = [await openEmptyDatabase(), await temporaryFolder(), new AbortController()]
  const onStage = (stage: string) => void (stage.startsWith('Restoring audio') && stop.abort())
  await expect(restore(path, { dataDir, mongodb, onStage, signal: stop.signal })).rejects.toThrow('aborted')
  expect(await readDatabase(mongodb)).toEqual({})
  expect(await readdir(dataDir)).toEqual([])
  await restore(path, { dataDir, mongodb })
  expect(await readdir(dataDir)).toContain('audio')
})

test('a restore that fails after the import leaves database, data folder and models as they were', async () => {
  const path = await backUpWithModels()
  const [mongodb, dataDir, modelsDir] = [await openEmptyDatabase(), await temporaryFolder(), await temporaryFolder()]
  await writeFile(join(modelsDir, 'llm'), 'a file where a folder should be')
  await expect(restore(path, { dataDir, modelsDir, mongodb })).rejects.toThrow(/EEXIST|ENOTDIR/)
  expect(await readDatabase(mongodb)).toEqual({})
  expect(await readdir(dataDir)).toEqual([])
  expect(await readdir(modelsDir)).toEqual(['llm'])
})

test('models in the data folder are moved into place with everything else', async () => {
  const path = await backUpWithModels()
  const failing = await temporaryFolder()
  const onStage = (stage: string) => {
    if (!stage.startsWith('Restoring')) return
    mkdirSync(join(failing, 'audio'), { recursive: true })
    writeFileSync(join(failing, 'audio', 'of another'), '')
  }
  await expect(restore(path, { dataDir: failing, onStage })).rejects.toThrow('ENOTEMPTY')
  expect(await readdir(failing)).toEqual(['audio'])
  const { dataDir, keptModels } = await restore(path)
  expect(keptModels).toEqual([])
  expect(Object.keys(await readFiles(join(dataDir, 'models'))).toSorted()).toEqual(['choices.json', 'llm/weights.gguf'])
})

test('an empty folder of models in the data folder does not stop a restore, one with a file does', async () => {
  const path = await backUpWithModels()
  const dataDir = await temporaryFolder()
  await mkdir(join(dataDir, 'models', 'import'), { recursive: true })
  await restore(path, { dataDir })
  expect(await readFile(join(dataDir, 'models', 'llm', 'weights.gguf'), 'utf8')).toBe('weights')
  const other = await temporaryFolder()
  await mkdir(join(other, 'models'))
  await writeFile(join(other, 'models', 'choices.json'), '{}')
  await expect(restore(path, { dataDir: other })).rejects.toThrow('is not empty: it holds models')
})

test('models elsewhere get the owner and permissions of their folder, and replace nothing', async () => {
  const path = await backUpWithModels()
  const modelsDir = await temporaryFolder()
  await writeFile(join(modelsDir, 'choices.json'), 'chosen here')
  await chmod(modelsDir, 0o750)
  if (process.getuid?.() === 0) await chown(modelsDir, 12_345, 12_345)
  const { keptModels } = await restore(path, { modelsDir })
  expect(keptModels).toEqual([{ path: 'choices.json', reason: 'exists already' }])
  expect(await readFile(join(modelsDir, 'choices.json'), 'utf8')).toBe('chosen here')
  const { uid, gid } = await stat(modelsDir)
  const found = await Promise.all(['llm', 'llm/weights.gguf'].map((name) => stat(join(modelsDir, name))))
  expect(found.map((info) => [info.mode & 0o777, info.uid, info.gid])).toEqual([
    [0o750, uid, gid],
    [0o640, uid, gid],
  ])
  expect((await readdir(modelsDir)).toSorted()).toEqual(['choices.json', 'llm'])
})

test('an interruption ends the wait for a database that never answers, and leaves nothing', async () => {
  const { path } = await backUpToFolder(await temporaryFolder(), optionsFor(await openServerWithRecording()))
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  const abort = new AbortController()
  silent.once('connection', () => abort.abort(new Error('interrupted')))
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo // of a server that listens on an address
  const dataDir = await temporaryFolder()
  const mongodb = { uri: `mongodb://127.0.0.1:${port}`, dbName: 'restored' }
  await expect(restore(path, { dataDir, mongodb, signal: abort.signal })).rejects.toThrow('interrupted')
  expect(await readdir(dataDir)).toEqual([])
})
