import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { findLiveEngines, recordHeartbeat } from '#data/engines/engines.ts'
import { completeJob, renewLease } from '#data/jobs/lease.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { createReconciler } from '#data/jobs/reconcile.ts'
import { hasDatabaseClock, setDatabaseClock } from '#testing/database.ts'
import { openEvents, type EventStream } from '#testing/event-stream.ts'
import { makeJob, makeHeartbeat, takeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'
import { deleteAllJobs, readJob } from '#testing/stored-work.ts'

let server: TestServer
let user: SignedInUser
const streams: EventStream[] = []
const dayMs = 24 * 3600_000

beforeAll(async () => {
  // Sessions outlast the jumps: a session that has expired by the database's clock is removed within a minute, whatever the
  // server's clock says.
  const signIn = { two_factor_policy: 'nobody', session_idle_hours: 72, session_hours: 72 } as const
  server = await startTestServer({ config: { signIn } })
})
beforeEach(async () => {
  user = await server.createSignedIn()
  await deleteAllJobs(queue())
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
  if (hasDatabaseClock) await setDatabaseClock(0)
})
afterAll(() => server.close())

const queue = () => server.services.work.queue

async function listen(): Promise<EventStream> {
  const stream = await openEvents(server.url, user.accessToken)
  streams.push(stream)
  await vi.waitFor(() => expect(stream.events[0]).toMatchObject({ type: 'snapshot' }))
  return stream
}

describe.skipIf(!hasDatabaseClock).each([
  ['back by a day', -dayMs],
  ['forward by a day', dayMs],
])('after the database clock was set %s', (_name, offsetMs) => {
  test('open and new event streams go on delivering', async () => {
    const open = await listen()
    await makeJob(queue(), { ownerId: user.id })
    const job = await takeJob(queue())
    const id = job.id
    await vi.waitFor(() => expect(open.events).toContainEqual(jobEvent({ id, state: 'running' })), 5000)
    await setDatabaseClock(offsetMs)
    const recent = await listen()
    await completeJob(queue(), job, { result: makeTranscription(), languages: [] })
    const recordingId = await uploadDialogue(server, user.accessToken)
    for (const stream of [open, recent]) {
      await vi.waitFor(() => expect(stream.events).toContainEqual(jobEvent({ id, state: 'done' })), 5000)
      await vi.waitFor(() => {
        const created = { type: 'recording', recording_id: recordingId, change: 'created' }
        expect(stream.events).toContainEqual(expect.objectContaining(created))
      }, 5000)
    }
  })

  test('an engine at work keeps its job, and that of a dead engine comes back', async () => {
    const quick = openQueue(queue().connection, { leaseMs: 600, renewMs: 200 })
    const reconcile = createReconciler(quick)
    await makeJob(quick)
    await makeJob(quick)
    const [alive, dead] = [await takeJob(quick, 'alive'), await takeJob(quick, 'dead')]
    await reconcile()
    await setDatabaseClock(offsetMs)
    expect(await reconcile()).toEqual({ requeued: 0, failed: 0 })
    await vi.waitFor(async () => {
      expect(await renewLease(quick, alive)).toBe(true)
      await reconcile()
      expect(await readJob(quick, dead.id)).toMatchObject({ state: 'queued' })
    }, 5000)
    expect(await readJob(quick, alive.id)).toMatchObject({ state: 'running', attempt: 1 })
  })

  test('an engine counts as alive from its next heartbeat, and one that died does not', async () => {
    const { connection } = queue()
    await recordHeartbeat(connection, 'dead', makeHeartbeat())
    await setDatabaseClock(offsetMs)
    await recordHeartbeat(connection, 'alive', makeHeartbeat())
    expect((await findLiveEngines(connection)).map(({ id }) => id)).toEqual(['alive'])
  })

  test('users take turns as before', async () => {
    const [busy, late] = ['a'.repeat(24), 'b'.repeat(24)]
    for (let index = 0; index < 4; index += 1) await makeJob(queue(), { ownerId: busy })
    await takeJob(queue())
    await setDatabaseClock(offsetMs)
    await takeJob(queue())
    await makeJob(queue(), { ownerId: late })
    const order = [await takeJob(queue()), await takeJob(queue())]
    expect(order.map((job) => (job.ownerId === late ? 'late' : 'busy'))).toEqual(['busy', 'late'])
  })
})

test('the clock of the server host changes nothing for event streams', async () => {
  const open = await listen()
  server.clock.advance(-dayMs)
  try {
    await makeJob(queue(), { ownerId: user.id })
    await vi.waitFor(() => expect(open.events).toContainEqual(jobEvent({ state: 'queued' })), 5000)
  } finally {
    server.clock.advance(dayMs)
  }
})

function jobEvent(job: object) {
  return { type: 'job', job: expect.objectContaining(job) }
}
