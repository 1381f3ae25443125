import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import mongoose from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findLiveEngines } from '#data/engines/engines.ts'
import { startStack, type Stack } from '#testing/stack.ts'

let stack: Stack
let connection: mongoose.Connection

beforeAll(async () => {
  stack = await startStack({ ENGINE_PROCESSES: '2' })
  const uri = (await readFile(join(stack.dataDir, 'db', 'uri'), 'utf8')).trim()
  connection = await mongoose.createConnection(uri, { autoIndex: false }).asPromise()
}, 180_000)
afterAll(async () => {
  await connection?.close()
  await stack?.stop()
})

async function findPids(): Promise<number[]> {
  return (await findLiveEngines(connection)).map(({ pid }) => pid)
}

test('two engines run, and one that is killed comes back while the other goes on', async () => {
  await vi.waitFor(async () => expect(await findPids()).toHaveLength(2), { timeout: 60_000, interval: 200 })
  const [killed = 0, other = 0] = await findPids()
  process.kill(killed, 'SIGKILL')
  await vi.waitFor(
    async () => {
      const pids = await findPids()
      expect(pids).toHaveLength(2)
      expect(pids).toContain(other)
      expect(pids).not.toContain(killed)
    },
    { timeout: 60_000, interval: 200 },
  )
  const ready = await fetch(`${stack.url}/readyz`)
  expect(await ready.json()).toMatchObject({ checks: { engine: { ok: true, message: '2 running' } } })
}, 150_000)
