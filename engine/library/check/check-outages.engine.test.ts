import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDatabaseUnavailable } from '#data/database-errors.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { createTestDatabase, hasDatabaseClock, type TestDatabase } from '#testing/database.ts'
import { createViews } from '#testing/derived-view.ts'
import { settleLibrary } from '#testing/library.ts'
import { isEndurance } from '#testing/rounds.ts'
import { openSteppedDatabase, type SteppedDatabase } from '#testing/stepped-database.ts'
import { makeWatchingOwner, storeCall, transcribeCall, watchedWord } from '#testing/watched-library.ts'
import { emptyEntry, runCheck, scanLibrary } from '../testing/library-checks.ts'

/** MongoDB error codes: a command took too long, and a connection of the server failed. */
const maxTimeExpired = 50
const socketException = 9001

/** `npm test` tries one in `stride` of a check's commands. */
const stride = isEndurance ? 1 : 10

let database: TestDatabase
let stepped: SteppedDatabase
let queue: Queue
/** Each owner has one recording. The alerts of the first come from a job, those of the second from a scan. */
let owned: { ownerId: string; id: string }[]

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
  queue = openQueue(database.connection)
  if (hasDatabaseClock) stepped = await openSteppedDatabase(database)
  owned = [await storeWatchedCall()]
  await settleLibrary(database.connection)
  const scanned = await storeWatchedCall()
  owned.push(scanned)
  await scanLibrary(database.connection, scanned.ownerId)
})
afterAll(async () => {
  if (hasDatabaseClock) await stepped.close()
  await database.drop()
})

async function storeWatchedCall() {
  const ownerId = await makeWatchingOwner(queue)
  const id = await storeCall(queue, ownerId)
  await transcribeCall(queue, ownerId, id)
  return { ownerId, id }
}

async function expectWhole(at: string): Promise<void> {
  const views = createViews(queue, watchedWord)
  for (const { ownerId } of owned) {
    expect({ at, ...(await views.shown(ownerId)) }).toEqual({ at, ...(await views.expected(ownerId)) })
  }
}

/** Empties all entries and checks them, with one command failing with a database error. */
async function checkFailingAt(number: number, code: number) {
  for (const { ownerId, id } of owned) await emptyEntry(database.connection, ownerId, id)
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
  let error: unknown
  const check = () => runCheck(stepped.queue, { log }).catch((thrown: unknown) => (error = thrown))
  const isReached = await stepped.runFailing(number, check, code)
  return { isReached, error, lines }
}

describe.runIf(hasDatabaseClock)('wherever a check meets an error of the database', { tags: ['rounds'] }, () => {
  test('that is over at once, the next check leaves the library whole, with its alerts', async () => {
    let number = 1
    for (; (await checkFailingAt(number, maxTimeExpired)).isReached; number += stride) {
      await runCheck(queue)
      await expectWhole(`command ${number}`)
    }
    expect(number).toBeGreaterThan(20)
  })

  test('of its connection, it ends, and no recording counts as damaged', async () => {
    let number = 1
    for (; ; number += stride) {
      const { isReached, error, lines } = await checkFailingAt(number, socketException)
      if (!isReached) break
      expect({ number, isUnavailable: isDatabaseUnavailable(error), lines }).toEqual({
        number,
        isUnavailable: true,
        lines: [],
      })
      expect(await runCheck(queue)).toMatchObject({ failed: 0 })
      await expectWhole(`command ${number}`)
    }
    expect(number).toBeGreaterThan(20)
  })
})
