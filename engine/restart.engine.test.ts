import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { JobAccepted, JobWithResult } from '#contract/entities/job.ts'
import { UploadResult } from '#contract/entities/recording.ts'
import { callApi, signInAsFirstAdmin } from '#testing/api-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startTestEngine } from '#testing/engine.ts'
import { startServerProcess, type TestProcess } from '#testing/processes.ts'

const sampleCall = join(import.meta.dirname, '../models/demo/sample-call.mp3')
let database: TestDatabase
let dataDir: string
const processes: TestProcess[] = []

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'awaz-restart-'))
  database = await createTestDatabase()
})
afterEach(() => Promise.all(processes.map((running) => running.end('SIGKILL'))))
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function startServer() {
  const server = await startServerProcess({ dataDir, database })
  processes.push(server)
  return server
}

test('a killed server keeps what it acknowledged, and the job completes after the restart', async () => {
  const first = await startServer()
  const form = new FormData()
  form.append('audio', new Blob([await readFile(sampleCall)]), 'call.mp3')
  const token = await signInAsFirstAdmin(first.url, dataDir)
  const { file_id } = await callApi(UploadResult, `${first.url}/api/upload`, { token, form })
  const json = { file_id, channel_languages: ['ps', 'en'] }
  const { job_id } = await callApi(JobAccepted, `${first.url}/api/transcribe`, { token, json })
  const engine = await startTestEngine({ connection: database.connection, dataDir })
  onTestFinished(() => engine.stop())
  await first.end('SIGKILL')

  const second = await startServer()
  const audio = await fetch(`${second.url}/api/audio/${file_id}`, { headers: { Authorization: `Bearer ${token}` } })
  expect(Buffer.from(await audio.arrayBuffer()).equals(await readFile(sampleCall))).toBe(true)
  await vi.waitFor(
    async () => {
      const job = await callApi(JobWithResult, `${second.url}/api/jobs/${job_id}`, { token })
      expect(job).toMatchObject({ state: 'done', attempt: 1, result: { num_speakers: 2 } })
    },
    { timeout: 150_000, interval: 100 },
  )
}, 240_000)
