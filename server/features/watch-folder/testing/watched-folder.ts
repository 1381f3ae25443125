import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { BatchRequest } from '#contract/batches.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { makeDialogue } from '#testing/uploads.ts'
import { startWatchFolder } from '../watch-folder.ts'

type StartBatch = (ownerId: string, request: BatchRequest) => Promise<unknown>

interface WatchOverrides {
  startBatch?: StartBatch
  settleMs?: number
  /** Called with the owner before each file is read. */
  beforeReading?: (ownerId: string) => Promise<void> | void
}

/** A watched folder, new for each test, and the user who owns its recordings. */
export interface WatchedFolder {
  server: TestServer
  user: SignedInUser
  folder: string
  /** The folder of `user`. */
  own: string
  batches: { ownerId: string; request: BatchRequest }[]
  watch: (overrides?: WatchOverrides) => Promise<{ close: () => Promise<void> }>
  /** Returns the names of the recordings of a user, `user` by default. */
  library: (token?: string) => Promise<string[]>
  /** Creates a case for `user`, or for the user of `token`, and returns its id. */
  createCase: (name: string, token?: string) => Promise<string>
  /** Creates a subfolder of the watched folder with these files. */
  fill: (path: string, files: Record<string, Uint8Array>) => Promise<string>
}

/** Starts one server for all tests of a file and gives each test its own watched folder. */
export function useWatchedFolder(): WatchedFolder {
  const context = {} as WatchedFolder // filled before each test
  let started: { close: () => Promise<void> }[] = []

  beforeAll(async () => {
    context.server = await startTestServer()
  })
  afterAll(() => context.server.close())
  beforeEach(async () => {
    const { server } = context
    const user = await server.createSignedIn()
    const folder = await mkdtemp(join(tmpdir(), 'awaz-watch-'))
    const own = join(folder, user.email)
    await mkdir(own)
    started = []
    Object.assign(context, { user, folder, own, batches: [], watch, library, createCase, fill })
  })
  afterEach(async () => {
    for (const { close } of started) await close()
    await rm(context.folder, { recursive: true, force: true })
  })

  async function watch({ beforeReading, ...overrides }: WatchOverrides = {}) {
    const { server, folder, batches } = context
    const { work, users } = server.services
    const quota = {
      ...work.quota,
      async reserve(ownerId: string, sizeBytes: number) {
        await beforeReading?.(ownerId)
        return work.quota.reserve(ownerId, sizeBytes)
      },
    }
    const startBatch: StartBatch = async (ownerId, request) => batches.push({ ownerId, request })
    const log = pino({ level: 'silent' })
    const watching = await startWatchFolder({
      ...work,
      users,
      folder,
      quota,
      settleMs: 200,
      startBatch,
      log,
      ...overrides,
    })
    started.push(watching)
    return watching
  }

  async function library(token = context.user.accessToken) {
    const { data } = await context.server.call(api.recordings.list, { token })
    return data.recordings.map(({ name }) => name).toSorted()
  }

  async function createCase(name: string, token = context.user.accessToken) {
    return (await context.server.call(api.cases.create, { body: { name }, token })).data.id
  }

  async function fill(path: string, files: Record<string, Uint8Array>) {
    const full = join(context.folder, path)
    await mkdir(full, { recursive: true })
    for (const [name, content] of Object.entries(files)) await writeFile(join(full, name), content)
    return full
  }

  return context
}

/** Returns a dialogue with different content for each seed: identical files are imported only once. */
export function makeCall(seed = 0): Uint8Array<ArrayBuffer> {
  const call = makeDialogue()
  call[call.length - 2 - seed * 2] = 1
  return call
}

export async function filesIn(path: string): Promise<string[]> {
  return (await readdir(path).catch(() => [])).toSorted()
}

export function until(assertion: () => Promise<void>): Promise<void> {
  return vi.waitFor(assertion, { timeout: 45_000, interval: 50 })
}
