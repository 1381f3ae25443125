import { open, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { startTestServer } from '#testing/server.ts'

/** Starts an embedded database on a folder; it runs until the current test ends. */
async function openDatabase(folder: string) {
  const engine = await startEmbeddedDatabase({
    dataFile: join(folder, 'db.sqlite'),
    socketPath: join(folder, 'db.sock'),
  })
  onTestFinished(() => engine.stop())
  return engine
}

test('a server whose database file is damaged is not ready, and says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-damaged-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const whole = await openDatabase(folder)
  await (await startTestServer({ data: { dataDir: folder, uri: whole.uri, dbName: 'awaz' } })).close()
  const client = await new MongoClient(whole.uri).connect()
  const documents = Array.from({ length: 500 }, (_, n) => ({ n, text: 'x'.repeat(4_000) }))
  await client.db().collection('calls').insertMany(documents)
  await client.close()
  await whole.stop()
  const file = await open(join(folder, 'db.sqlite'), 'r+')
  const { size } = await file.stat()
  await file.write(Buffer.alloc(64 * 1024, 0x5a), 0, 64 * 1024, size - 1024 * 1024)
  await file.close()

  const { uri } = await openDatabase(folder)
  const server = await startTestServer({ data: { dataDir: folder, uri, dbName: 'awaz' } })
  onTestFinished(() => server.close())
  const readDatabaseCheck = async () => {
    const answer = await fetch(`${server.url}/readyz`)
    return { http: answer.status, ...api.system.ready.response.parse(await answer.json()).checks.database }
  }
  await vi.waitFor(async () => {
    expect(await readDatabaseCheck()).toMatchObject({
      http: 503,
      ok: false,
      message: expect.stringMatching(/^its file is damaged \(.*\): restore a backup$/),
    })
  })
})
