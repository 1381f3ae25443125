import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { MongoClient } from 'mongodb'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeRuntimeFolder, startEmbeddedDatabase, type EmbeddedDatabase } from './launch.ts'

let dataFolder: string
let runtimeFolder: string
let started: EmbeddedDatabase[]

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'awaz-launch-'))
  runtimeFolder = await makeRuntimeFolder()
  started = []
})

afterEach(async () => {
  for (const database of started) await database.stop()
  for (const folder of [dataFolder, runtimeFolder]) await rm(folder, { recursive: true, force: true })
})

async function start(options: { dataFile?: string; socket?: string; signal?: AbortSignal } = {}) {
  const database = await startEmbeddedDatabase({
    dataFile: options.dataFile ?? join(dataFolder, 'data.sqlite'),
    socketPath: join(runtimeFolder, options.socket ?? 'db.sock'),
    ...(options.signal ? { signal: options.signal } : {}),
  })
  started.push(database)
  return database
}

async function insertOne(uri: string, document: { _id: number }): Promise<number> {
  const client = await new MongoClient(uri, { serverSelectionTimeoutMS: 2000 }).connect()
  try {
    await client.db().collection<{ _id: number }>('items').insertOne(document)
    return await client.db().collection('items').countDocuments()
  } finally {
    await client.close()
  }
}

test('keeps what it was given over a clean stop', async () => {
  const first = await start()
  expect(await insertOne(first.uri, { _id: 1 })).toBe(1)
  await first.stop()
  expect(await first.exited).toBe(0)
  const second = await start()
  expect(await insertOne(second.uri, { _id: 2 })).toBe(2)
})

test('starts over a socket that a killed process has left', async () => {
  const first = await start()
  await insertOne(first.uri, { _id: 1 })
  process.kill(first.pid, 'SIGKILL')
  expect(await first.exited).toBeNull()
  expect((await stat(join(runtimeFolder, 'db.sock'))).isSocket()).toBe(true)
  const second = await start()
  expect(await insertOne(second.uri, { _id: 2 })).toBe(2)
})

test('makes its socket again when it is removed, and keeps the connections that are open', async () => {
  const database = await start()
  const client = await new MongoClient(database.uri).connect()
  await client.db().collection<{ _id: number }>('items').insertOne({ _id: 1 })
  await rm(runtimeFolder, { recursive: true })
  await vi.waitFor(() => stat(join(runtimeFolder, 'db.sock')), { timeout: 5000, interval: 50 })
  expect(await insertOne(database.uri, { _id: 2 })).toBe(2)
  expect(await client.db().collection('items').countDocuments()).toBe(2)
  expect((await stat(join(runtimeFolder, 'db.sock'))).mode & 0o777).toBe(0o600)
  await client.close()
})

test('refuses a data file that another process has open, and does not disturb that process', async () => {
  const first = await start()
  await expect(start({ socket: 'other.sock' })).rejects.toThrow(/data\.sqlite is in use by another process/)
  expect(await insertOne(first.uri, { _id: 1 })).toBe(1)
})

test('refuses a socket that another process listens on', async () => {
  await start()
  await expect(start({ dataFile: join(dataFolder, 'other.sqlite') })).rejects.toThrow(/db\.sock is in use/)
})

test('refuses a socket path that is too long, with its length', async () => {
  const socket = `${'x'.repeat(108)}.sock`
  await expect(start({ socket })).rejects.toThrow(/has \d+ bytes, more than the 107/)
})

test('refuses a data file that is no database', async () => {
  const dataFile = join(dataFolder, 'text.sqlite')
  await writeFile(dataFile, 'this is no database'.repeat(100))
  await expect(start({ dataFile })).rejects.toThrow(/not a database/)
  expect(await readFile(dataFile, 'utf8')).toContain('this is no database')
})

test('gives no other user access to the socket and the data', async () => {
  const database = await start()
  await insertOne(database.uri, { _id: 1 })
  const files = [join(runtimeFolder, 'db.sock'), join(dataFolder, 'data.sqlite'), join(dataFolder, 'data.sqlite-wal')]
  for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(runtimeFolder)).mode & 0o777).toBe(0o700)
  expect(Buffer.byteLength(runtimeFolder)).toBeLessThan(60)
})

test('ends with its signal', async () => {
  const stop = new AbortController()
  const database = await start({ signal: stop.signal })
  stop.abort()
  expect(await database.exited).toBe(0)
})

test('closes a connection that speaks something else and serves the others', async () => {
  const database = await start()
  const socket = connect(join(runtimeFolder, 'db.sock'))
  const onClose = vi.fn<() => void>()
  socket.on('close', onClose).on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled(), { timeout: 5000 })
  expect(await insertOne(database.uri, { _id: 1 })).toBe(1)
})

test('finds a runtime folder in XDG_RUNTIME_DIR when there is one', async () => {
  vi.stubEnv('XDG_RUNTIME_DIR', dataFolder)
  const folder = await makeRuntimeFolder()
  vi.unstubAllEnvs()
  expect(dirname(folder)).toBe(dataFolder)
})

test('ends where its parent is dead before it is up', async () => {
  const paths = ['--data', join(dataFolder, 'data.sqlite'), '--socket', join(runtimeFolder, 'db.sock')]
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...paths], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.disconnect()
  const [status] = await once(child, 'exit')
  expect(status).toBe(0)
})
