import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { readLastChange } from '#data/change-counter.ts'
import { releaseFollowerLease } from '#data/followers/follower-lease.ts'
import { moveToTrash, restoreFromTrash } from '#data/library/trash.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createViews } from '#testing/derived-view.ts'
import { openLibraryFollower } from '#testing/library.ts'
import { roundCount } from '#testing/rounds.ts'
import { makeWatchingOwner, storeCall, transcribeCall, watchedWord } from '#testing/watched-library.ts'
import { libraryFollower } from './follow-changes.ts'

const rounds = roundCount(1_000)
const recordingCount = 14
const maxBatch = 10

let database: TestDatabase
let queue: Queue
beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
  queue = openQueue(database.connection)
})
afterAll(() => database.drop())

function startFollower(): ChildProcess {
  const script = join(import.meta.dirname, 'testing', 'follow-worker.ts')
  const arguments_ = [script, database.uri, database.connection.name, 'until-killed']
  return spawn(process.execPath, arguments_, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

/** Releases the lease, so that another process can follow at once. */
async function releaseFollower(): Promise<void> {
  for (const holder of ['test', 'engine']) {
    await releaseFollowerLease(database.connection, { name: libraryFollower, holder })
  }
}

/** Waits until the follower has handled all changes. One poll is not enough: it may have begun before the last change. */
async function untilHandled(engine: ChildProcess): Promise<void> {
  for (let polls = 0; polls < 3; polls += 1) await once(engine, 'message')
}

/** Returns a generator of pseudo-random integers, the same in each run. */
function createNumbers(): (below: number) => number {
  let state = 28
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

test(
  `list, facets, search and alerts equal the recordings after ${rounds} removals and restorations, with kills of the engine in every tenth`,
  { tags: ['rounds'], timeout: 60_000 + rounds * 2_000 },
  async () => {
    const ownerId = await makeWatchingOwner(queue)
    const ids: string[] = []
    for (let count = 0; count < recordingCount; count += 1) {
      const id = await storeCall(queue, ownerId, `call ${count}.wav`)
      await transcribeCall(queue, ownerId, id)
      ids.push(id)
    }
    const follower = openLibraryFollower(database.connection)
    await follower.settle()
    await releaseFollower()
    const views = createViews(queue, watchedWord)
    expect(await views.shown(ownerId)).toEqual(await views.expected(ownerId))

    const numberBelow = createNumbers()
    /** Gives the follower time to reach one of the changed recordings. */
    const letFollowerWork = async (changed: string[]) => {
      for (let left = numberBelow(6 + 3 * changed.length); left > 0; left -= 1)
        await readLastChange(database.connection)
    }
    let engine = startFollower()
    for (let round = 1; round <= rounds; round += 1) {
      const from = numberBelow(recordingCount)
      const chosen = ids.slice(from, from + (round % 3 === 0 ? 1 : 1 + numberBelow(maxBatch)))
      await untilHandled(engine)
      await moveToTrash(queue, ownerId, chosen)
      await letFollowerWork(chosen)
      if (round % 10 === 0) {
        const exited = once(engine, 'exit')
        engine.kill('SIGKILL')
        await exited
        engine = startFollower()
      }
      await restoreFromTrash(queue, ownerId, chosen)
    }
    const expected = await views.expected(ownerId)
    expect(expected.list).toHaveLength(recordingCount)
    await expect.poll(() => views.shown(ownerId), { timeout: 30_000 }).toEqual(expected)
    const exited = once(engine, 'exit')
    engine.kill('SIGKILL')
    await exited
    await releaseFollower()
    await openLibraryFollower(database.connection).settle()
    expect(await views.shown(ownerId)).toEqual(expected)
  },
)
