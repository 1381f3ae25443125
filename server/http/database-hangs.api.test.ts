import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { startTestServer } from '#testing/server.ts'

test('responds with 503 within five seconds while the database hangs, and serves again once it responds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-hang-'))
  const engine = await startEmbeddedDatabase({ dataFile: join(folder, 'a.sqlite'), socketPath: join(folder, 'a.sock') })
  vi.stubEnv('MONGODB_URI', engine.uri)
  const server = await startTestServer()
  try {
    const { accessToken: token } = await server.createSignedIn()
    process.kill(engine.pid, 'SIGSTOP')
    for (let n = 0; n < 3; n += 1) {
      const startedAt = performance.now()
      expect((await server.call(api.profile.get, { token })).status).toBe(503)
      expect(performance.now() - startedAt).toBeLessThan(5000)
    }
    process.kill(engine.pid, 'SIGCONT')
    await vi.waitFor(async () => expect((await server.call(api.profile.get, { token })).status).toBe(200), 15_000)
  } finally {
    process.kill(engine.pid, 'SIGCONT')
    await server.close()
    await engine.stop()
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  }
})
