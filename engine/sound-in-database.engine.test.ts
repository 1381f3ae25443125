import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { markAudioStore } from '#data/audio-store/store-mark.ts'
import { openAudioStore } from '#data/audio-store/open-audio-store.ts'
import { newId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import type { NewJobParams } from '#data/jobs/job-params.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { insertRecording } from '#data/recordings/recordings.ts'
import { createTestDatabase } from '#testing/database.ts'
import { startTestEngine } from '#testing/engine.ts'
import { makeJob } from '#testing/jobs.ts'
import { countJobs } from '#testing/stored-work.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'

const sampleCall = join(dirname(import.meta.dirname), 'models/demo/sample-call.mp3')

test('an engine on a host that shares only the database transcribes what another host received', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { connection } = database
  await ensureIndexes(connection)
  await markAudioStore(connection, undefined, (error) => expect(error).toBeUndefined())
  const onServer = { dataDir: await temporaryFolder(), audioStore: 'gridfs' as const, audioCopyBytes: 0 }
  const store = await openAudioStore(onServer, connection)
  const [id, ownerId] = [newId(), newId()]
  const { size } = await stat(sampleCall)
  const file = { id, extension: 'mp3', maxBytes: size }
  const { keep, sha256, sizeBytes } = await store.receive(createReadStream(sampleCall), file)
  await keep()
  const facts = { name: 'call.mp3', extension: 'mp3', sizeBytes, sha256, durationMs: 1, channels: 2 }
  await insertRecording(connection, { id, ownerId, ...facts, isStereo: true, peaks: [] })
  const queue = openQueue(connection)
  const params: NewJobParams = { kind: 'transcribe', language: 'ps', channelLanguages: ['ps', 'en'], names: [] }
  const job = await makeJob(queue, { ownerId, recordingId: id, params })

  const dataDir = await temporaryFolder()
  const engine = await startTestEngine({ connection, dataDir, env: { AUDIO_STORE: 'gridfs' } })
  onTestFinished(engine.stop)
  await vi.waitFor(async () => expect(await countJobs(queue, { ids: [job.id], state: 'done' })).toBe(1), {
    timeout: 120_000,
    interval: 100,
  })
  expect(await readdir(join(dataDir, 'audio-copies/files'))).toEqual([`${id}.mp3`])
  expect(await readdir(join(dataDir, 'audio-copies/open'))).toEqual([])
}, 180_000)
