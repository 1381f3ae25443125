import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { JobAccepted, JobWithResult } from '#contract/entities/job.ts'
import { UploadResult } from '#contract/entities/recording.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startEngineProcess, startServerProcess, type TestProcess } from '#testing/processes.ts'

const sampleCall = join(import.meta.dirname, '../models/demo/sample-call.mp3')
const password = 'Harvest-moon!7x'
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

async function send<Schema extends z.ZodType>(
  schema: Schema,
  url: string,
  { token, json, form }: { token?: string; json?: object; form?: FormData } = {},
): Promise<z.infer<Schema>> {
  const response = await fetch(url, {
    method: json || form ? 'POST' : 'GET',
    headers: {
      Prefer: 'respond-async',
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(json && { 'Content-Type': 'application/json' }),
    },
    ...(json && { body: JSON.stringify(json) }),
    ...(form && { body: form }),
  })
  const body = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${body}`)
  return schema.parse(JSON.parse(body))
}

async function signIn(url: string, secret: string): Promise<string> {
  const Tokens = z.object({ access_token: z.string() })
  const json = { email: 'admin@awaz.local', password: secret }
  return (await send(Tokens, `${url}/api/auth/signin`, { json })).access_token
}

test('what a killed server had acknowledged is there afterwards, and its job ends', async () => {
  const first = await startServer()
  const initial = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).split('\n')[1] ?? ''
  const change = { current_password: initial, new_password: password }
  const firstToken = await signIn(first.url, initial)
  await send(z.unknown(), `${first.url}/api/auth/change-password`, { token: firstToken, json: change })

  const form = new FormData()
  form.append('audio', new Blob([await readFile(sampleCall)]), 'call.mp3')
  const token = await signIn(first.url, password)
  const { file_id } = await send(UploadResult, `${first.url}/api/upload`, { token, form })
  const json = { file_id, channel_languages: ['ps', 'en'] }
  const { job_id } = await send(JobAccepted, `${first.url}/api/transcribe`, { token, json })
  processes.push(await startEngineProcess({ dataDir, database }))
  await first.end('SIGKILL')

  const second = await startServer()
  const audio = await fetch(`${second.url}/api/audio/${file_id}`, { headers: { Authorization: `Bearer ${token}` } })
  expect(Buffer.from(await audio.arrayBuffer()).equals(await readFile(sampleCall))).toBe(true)
  await vi.waitFor(
    async () => {
      const job = await send(JobWithResult, `${second.url}/api/jobs/${job_id}`, { token })
      expect(job).toMatchObject({ state: 'done', attempt: 1, result: { num_speakers: 2 } })
    },
    { timeout: 150_000, interval: 500 },
  )
}, 240_000)
