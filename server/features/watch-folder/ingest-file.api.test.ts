import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { makeDialogue } from '#testing/uploads.ts'
import { FolderHandle } from './folder-handle.ts'
import { ingestFile } from './ingest-file.ts'

let server: TestServer
let user: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
})
afterAll(() => server.close())

/** Ingests a file; `change` runs after the file was inspected and before it is read. */
async function takeWhile(change: (path: string, folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-take-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'call.wav')
  await writeFile(path, makeDialogue())
  const { work } = server.services
  const quota = {
    ...work.quota,
    async reserve(ownerId: string, sizeBytes: number) {
      await change(path, folder)
      return work.quota.reserve(ownerId, sizeBytes)
    },
  }
  const opened = await FolderHandle.open(folder)
  const source = { folder: opened, name: Buffer.from('call.wav') }
  const taken = await ingestFile({ ...work, quota }, user.id, source, new AbortController().signal)
  await opened.close()
  const { data } = await server.call(api.recordings.list, { token: user.accessToken })
  return { taken, recordings: data.recordings.length }
}

test('a link that takes the place of a file is not followed', async () => {
  const { taken, recordings } = await takeWhile(async (path, folder) => {
    await writeFile(join(folder, 'secret.wav'), makeDialogue())
    await rm(path)
    await symlink(join(folder, 'secret.wav'), path)
  })
  expect(taken).toEqual({ state: 'changing' })
  expect(recordings).toBe(0)
})

test('a file that is removed, or grows, meanwhile is looked at again when it changes', async () => {
  expect(await takeWhile((path) => rm(path))).toEqual({ taken: { state: 'changing' }, recordings: 0 })
  const grown = await takeWhile((path) => writeFile(path, 'more', { flag: 'a' }))
  expect(grown).toEqual({ taken: { state: 'changing' }, recordings: 0 })
})

test('what is taken in stands in the audit trail, by its hash and without the name of the file', async () => {
  const { taken } = await takeWhile(async () => undefined)
  if (taken.state !== 'taken') throw new Error(`The file is ${taken.state}`)
  const { events } = await server.services.audit.listOfRecording(taken.recordingId, { page: 1, perPage: 10 })
  expect(events).toMatchObject([
    { action: 'recording.upload', actorId: null, details: `watch folder, SHA-256 ${taken.sha256}` },
  ])
  expect(JSON.stringify(events)).not.toContain('call.wav')
})
