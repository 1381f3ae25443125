import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#data/ids.ts'
import { readResult } from '#data/jobs/results.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import { startEngineWithServers, type EngineWithServers } from '#engine/remote/testing/engine-with-servers.ts'
import { makeJob } from '#testing/jobs.ts'
import { copyToStore, storeDocument } from '#testing/recordings.ts'
import { startFakeServer, transcribeByFingerprint, type ReceivedRequest } from './testing/fake-server.ts'

let engine: EngineWithServers<ReceivedRequest>

beforeAll(async () => {
  engine = await startEngineWithServers({
    startFakeServer,
    behave: transcribeByFingerprint,
    env: (addresses) => ({ SPEECH_SERVERS: addresses, SPEECH_SERVER_MODEL: 'Large', SPEECH_MODEL: '' }),
  })
})

afterAll(() => engine?.close())

async function makeTranscription() {
  const { database, queue, ownerId, dataDir } = engine
  const id = newId()
  await copyToStore(join(bundledModelsDir, 'demo/sample-call.mp3'), join(dataDir, 'audio'), id)
  await storeDocument(database.connection, { id, ownerId, extension: 'mp3', channels: 2, isStereo: true })
  const params = { kind: 'transcribe' as const, language: 'en' as const, channelLanguages: null, names: [] }
  return makeJob(queue, { ownerId, recordingId: id, params, workKey: `transcribe:${id}` })
}

test('an engine sends the speech of a job to the servers, and publishes their status', async () => {
  const { queue, ownerId, server, stoppedServer } = engine
  const job = await makeTranscription()
  await engine.waitUntilDone(job)
  const result = await readResult(queue, ownerId, job.id, 'transcribe')
  expect(result).toMatchObject({ model: 'remote-large', warnings: [] })
  expect(server.seen.filter(({ fingerprint }) => !result?.transcription.includes(fingerprint))).toEqual([])
  expect(server.seen.every(({ fields }) => fields.model?.[0] === 'Large')).toBe(true)
  await engine.expectPublished('speech_servers', [
    { address: stoppedServer.address, is_reachable: false, models: ['Large'] },
    { address: server.address, is_reachable: true, completed: server.seen.length, in_flight: 0, last_error: null },
  ])
})

test('cancelling a job stops the request within two seconds', () => engine.expectQuickCancel(makeTranscription))
