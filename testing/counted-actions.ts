import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { api } from '#contract/api.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { raiseLastChange, readLastChange } from '#data/change-counter.ts'
import { connectDatabase } from '#data/connect.ts'
import { holdFollowerLease, saveFollowerPosition } from '#data/followers/follower-lease.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { createFollower, libraryFollower } from '#engine/library/follow-changes.ts'
import { createLibrary } from '#engine/library/library.ts'
import { watchCommands, withCommandMonitoring } from './database-commands.ts'
import { createTestDatabase } from './database.ts'
import { startTestServer } from './server.ts'
import { storeLibrary } from './stored-library.ts'
import { storeCall, transcribeCall } from './watched-library.ts'

/** The commands that one user action costs, in order. */
export interface ActionCommands {
  /** Sent by the server until the user has the response. */
  request: string[]
  /** Sent by the engine's follower to handle the change, in addition to what each of its polls sends. */
  follower: string[]
  /** Sent by the server for what the open page requests again after the change event. */
  refresh: string[]
}

export type CountedAction = keyof Awaited<ReturnType<typeof startCountedProduct>>['actions']

/** More changes than a follower looks back on when it starts. */
const settledChanges = 1_000
const perPage = 50
const hourMs = 3_600_000

/**
 * Starts the server and the engine's follower on the library of one owner, with the driver's command monitoring enabled. Instead of a
 * browser, it sends the requests that the pages of the web app send; see `refreshChanged` in web/src/shared/events/jobs.ts.
 */
export async function startCountedProduct({ recordings }: { recordings: number }) {
  const database = await createTestDatabase()
  const uri = withCommandMonitoring(database.uri)
  const { dbName } = database
  const dataDir = await mkdtemp(join(tmpdir(), 'awaz-counted-'))
  // Periodic reads of the server are not part of an action.
  const activity = { activeMs: hourMs, restMs: hourMs, activeForMs: hourMs }
  const server = await startTestServer({ data: { dataDir, uri, dbName }, config: { logLevel: 'silent' }, activity })
  server.clock.stop()
  await server.services.batchFeeder.close()
  const engine = await connectDatabase({ mongodbUri: uri }, { dbName })
  const ofServer = watchCommands(server.services.database.connection)
  const ofEngine = watchCommands(engine.connection)
  const queue = openQueue(engine.connection)
  const { id: ownerId, accessToken: token } = await server.createSignedIn()
  await storeLibrary(queue, ownerId, recordings)
  const poll = await followFromNow()

  async function followFromNow(): Promise<() => Promise<boolean>> {
    const lease = { name: libraryFollower, holder: 'counted' }
    const last = (await readLastChange(engine.connection)) + settledChanges
    await raiseLastChange(engine.connection, last)
    await holdFollowerLease(engine.connection, lease)
    await saveFollowerPosition(engine.connection, lease, last)
    const { steps } = createLibrary(queue)
    // Background tasks belong to an idle follower, not to an action.
    const options = { queue, steps, holder: lease.holder, backgroundTasks: [], drain: new AbortController().signal }
    const follower = createFollower({ ...options, log: pino({ level: 'silent' }) })
    await follower.poll()
    return follower.poll
  }

  /** Returns a transcribed call that the follower has handled. */
  async function addCall() {
    const recordingId = await storeCall(queue, ownerId)
    const transcriptionId = await transcribeCall(queue, ownerId, recordingId)
    while (await poll());
    await showLibrary()
    return { recordingId, transcriptionId }
  }

  const list = (query: QueryInput<typeof api.library.list> = {}) =>
    server.call(api.library.list, { query: { per_page: perPage, ...query }, token })

  async function showLibrary() {
    await list()
    await server.call(api.library.facets, { token })
  }

  async function refreshLibrary() {
    await showLibrary()
    await server.call(api.recordings.stats, { token })
    await server.call(api.library.storage, { token })
    await server.call(api.alerts.count, { token })
  }

  async function showCall(id: string) {
    const params = { id }
    await server.call(api.recordings.get, { params, query: { compact: 'true' }, token })
    await showNotes(id)
    await server.call(api.review.getHeard, { params, token })
  }

  async function showNotes(id: string) {
    const params = { id }
    await server.call(api.editing.listNotes, { params, token })
    await server.call(api.editing.listReviewedHits, { params, token })
    await server.call(api.review.listMarks, { params, token })
  }

  async function count(act: () => Promise<unknown>, refresh?: () => Promise<unknown>): Promise<ActionCommands> {
    const idle = await ofEngine.during(poll)
    const request = await ofServer.during(act)
    if (!refresh) return { request, follower: [], refresh: [] }
    const follower = without(await ofEngine.during(poll), idle)
    return { request, follower, refresh: await ofServer.during(refresh) }
  }

  let actionCount = 0
  const actions = {
    'add a tag': async () => {
      const { recordingId } = await addCall()
      actionCount += 1
      const body = { selection: { ids: [recordingId] }, add: [`tag ${actionCount}`] }
      // The page refetches its list itself and ignores the event: see `expectOwnChanges` in web/src/shared/events/jobs.ts.
      return count(() => server.call(api.library.tag, { body, token }), showLibrary)
    },
    'rename a recording': async () => {
      const { recordingId: id } = await addCall()
      const body = { name: 'harbour.wav' }
      return count(() => server.call(api.recordings.update, { params: { id }, body, token }), refreshLibrary)
    },
    'open a call': async () => {
      const { recordingId } = await addCall()
      return count(() => showCall(recordingId))
    },
    'set a filter': () => count(() => list({ states: 'done', languages: 'ps' })),
    'turn a page': () => count(() => list({ page: 2 })),
    'edit a line': async () => {
      const { recordingId: id, transcriptionId } = await addCall()
      const line = { start: 0, end: 3, text: 'we meet at the bridge' }
      const body = { transcription_id: transcriptionId, revision: 0, changes: [{ from: [0], lines: [line] }] }
      return count(
        () => server.call(api.editing.changeLines, { params: { id }, body, token }),
        async () => {
          await server.call(api.recordings.get, { params: { id }, query: { compact: 'true' }, token })
          await showNotes(id)
          await server.call(api.alerts.count, { token })
        },
      )
    },
    'add a note': async () => {
      const { recordingId: id } = await addCall()
      const body = { time: 1, text: 'ask about the bridge' }
      return count(
        () => server.call(api.editing.addNote, { params: { id }, body, token }),
        async () => {
          await showNotes(id)
          await server.call(api.alerts.count, { token })
        },
      )
    },
  } satisfies Record<string, () => Promise<ActionCommands>>

  async function close() {
    await engine.close()
    await server.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }

  return { actions, close }
}

/** Returns the commands without those of another list, removing each as often as it occurs there. */
function without(commands: string[], others: string[]): string[] {
  const left = [...others]
  return commands.filter((command) => {
    const at = left.indexOf(command)
    if (at === -1) return true
    left.splice(at, 1)
    return false
  })
}
