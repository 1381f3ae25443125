import { setImmediate as nextTurn } from 'node:timers/promises'
import { Schema } from 'mongoose'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startKillableDatabase, type KillableDatabase } from '#testing/killable-database.ts'
import { roundCount } from '#testing/rounds.ts'
import { connectClient, connectDatabase, type Database } from './connect.ts'

/** The longest time from the moment the database listens again, or resumes, until calls are answered. */
const backWithinMs = 5000
const rounds = roundCount(6)
let running: KillableDatabase
let database: Database
let stopClients = new AbortController()

beforeEach(async () => {
  running = await startKillableDatabase()
  database = await connectDatabase({ mongodbUri: running.uri })
  stopClients = new AbortController()
})
afterEach(async () => {
  stopClients.abort()
  await database.close()
  await running.remove()
})

/** Starts clients that write and read without pause, like requests of a busy server, even in the turn in which a socket ends. */
function startClients(count: number) {
  const model = database.connection.model('note', new Schema({ client: Number }))
  const seen = { answered: 0 }
  async function run(client: number) {
    while (!stopClients.signal.aborted) {
      try {
        await model.create({ client })
        await model.find({ client }).limit(5).lean()
        seen.answered += 1
      } catch {
        await nextTurn()
      }
    }
  }
  for (let client = 0; client < count; client += 1) void run(client)
  return seen
}

/** The driver checks the database at most every 500 ms. Waits until the next failed call makes it check in the same turn. */
async function waitUntilDriverAsksAtOnce() {
  let lastAskedAt = performance.now()
  database.connection.getClient().on('serverHeartbeatSucceeded', () => (lastAskedAt = performance.now()))
  await vi.waitFor(() => expect(performance.now() - lastAskedAt).toBeGreaterThan(700), { timeout: 5000, interval: 20 })
}

async function expectAnswers(seen: { answered: number }) {
  const before = seen.answered
  await vi.waitFor(() => expect(seen.answered).toBeGreaterThan(before + 20), { timeout: backWithinMs, interval: 20 })
}

test('finds a database again that is killed under load, each time', { tags: ['rounds'], timeout: 90_000 }, async () => {
  const seen = startClients(20)
  for (let round = 1; round <= rounds; round += 1) {
    await expectAnswers(seen)
    await waitUntilDriverAsksAtOnce()
    await running.kill()
    await running.start()
  }
  await expectAnswers(seen)
})

test('finds a database again that stood still for longer than every time limit', async () => {
  const seen = startClients(20)
  await expectAnswers(seen)
  process.kill(running.pid(), 'SIGSTOP')
  await vi.waitFor(() => expect(database.connection.readyState).toBe(0), { timeout: 15_000, interval: 50 })
  process.kill(running.pid(), 'SIGCONT')
  await expectAnswers(seen)
}, 60_000)

test('a command that finds no database ends, and says so', async () => {
  await running.kill()
  const connecting = connectDatabase({ mongodbUri: running.uri }, { firstConnectionTimeoutMs: 50 })
  await expect(connecting).rejects.toMatchObject({ code: 'unavailable', message: 'The database cannot be reached.' })
})

test.each([
  ['a connection', (signal: AbortSignal) => connectDatabase({ mongodbUri: running.uri }, { signal })],
  ['a client', (signal: AbortSignal) => connectClient(running.uri, { signal })],
])('an interruption ends the wait for %s at once', async (_name, connect) => {
  await running.kill()
  const abort = new AbortController()
  const connecting = connect(abort.signal)
  abort.abort(new Error('interrupted'))
  await expect(connecting).rejects.toThrow('interrupted')
})
