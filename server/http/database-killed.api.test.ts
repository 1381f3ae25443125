import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { startTestServer } from '#testing/server.ts'

test('a database that is killed under load is 503 and nothing else, and the server answers again within five seconds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-killed-'))
  const start = () =>
    startEmbeddedDatabase({ dataFile: join(folder, 'a.sqlite'), socketPath: join(folder, 'a.sock') })
  let database = await start()
  vi.stubEnv('MONGODB_URI', database.uri)
  const server = await startTestServer()
  const stop = new AbortController()
  const statuses = new Map<number, number>()
  const answered = () => statuses.get(200) ?? 0
  async function runClient(token: string) {
    for (let n = 0; !stop.signal.aborted; n += 1) {
      const body = { first_name: `Name ${n}` }
      const { status } = await server.call(api.profile.update, { token, body })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  try {
    const { accessToken } = await server.createSignedIn()
    const clients = Array.from({ length: 20 }, () => runClient(accessToken))
    for (let round = 1; round <= 4; round += 1) {
      const before = answered()
      await vi.waitFor(() => expect(answered()).toBeGreaterThan(before + 20), { timeout: 5000, interval: 20 })
      process.kill(database.pid, 'SIGKILL')
      await database.exited
      database = await start()
    }
    const before = answered()
    await vi.waitFor(() => expect(answered()).toBeGreaterThan(before + 20), { timeout: 5000, interval: 20 })
    stop.abort()
    await Promise.all(clients)
    expect([...statuses.keys()].toSorted()).toEqual([200, 503])
  } finally {
    stop.abort()
    await server.close()
    await database.stop()
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  }
}, 90_000)
