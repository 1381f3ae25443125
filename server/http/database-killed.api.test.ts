import { expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { startKillableDatabase } from '#testing/killable-database.ts'
import { roundCount } from '#testing/rounds.ts'
import { startTestServer } from '#testing/server.ts'

const rounds = roundCount(4)

test(
  'responds with 503 and no other error while the database is killed under load, and serves again within five seconds',
  { tags: ['rounds'], timeout: 90_000 },
  async () => {
    const database = await startKillableDatabase()
    vi.stubEnv('MONGODB_URI', database.uri)
    const server = await startTestServer()
    const stop = new AbortController()
    const statuses = new Map<number, number>()
    const countServed = () => statuses.get(200) ?? 0
    const countRefused = () => statuses.get(503) ?? 0
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
      for (let round = 1; round <= rounds; round += 1) {
        const before = countServed()
        await vi.waitFor(() => expect(countServed()).toBeGreaterThan(before + 20), { timeout: 5000, interval: 20 })
        const refused = countRefused()
        await database.kill()
        // If the database came back at once, clients might not notice: each round waits until one was refused.
        await vi.waitFor(() => expect(countRefused()).toBeGreaterThan(refused), { timeout: 30_000, interval: 20 })
        await database.start()
      }
      const before = countServed()
      await vi.waitFor(() => expect(countServed()).toBeGreaterThan(before + 20), { timeout: 5000, interval: 20 })
      stop.abort()
      await Promise.all(clients)
      expect([...statuses.keys()].toSorted()).toEqual([200, 503])
    } finally {
      stop.abort()
      await server.close()
      await database.remove()
      vi.unstubAllEnvs()
    }
  },
)
