import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { NewJob } from '#data/jobs/enqueue.ts'
import { saveSource } from '#data/jobs/translation-source.ts'
import { makeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { countJobs, listSources } from '#testing/stored-work.ts'
import { startJob } from './start-job.ts'

let server: TestServer
let user: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
})
afterAll(() => server.close())

const queue = () => server.services.work.queue

/** Starts a job the way a request does whose user is deactivated after the request was authenticated. */
async function startMeanwhileClosed(work: Pick<NewJob, 'params' | 'workKey'>) {
  const { isUserActive } = server.services.work
  const woken: string[] = []
  await server.services.users.update(user.id, { isActive: false })
  const deps = { queue: queue(), isUserActive, notifyEngines: async () => void woken.push('engine') }
  const started = startJob(deps, { ownerId: user.id, recordingId: null, ...work }, { isForced: false })
  await expect(started).rejects.toMatchObject({ code: 'session_expired' })
  return woken
}

test('a job that is asked for while its account is closed is withdrawn, and wakes no engine', async () => {
  const other = await server.createSignedIn()
  await makeJob(queue(), { ownerId: other.id })
  const params = { kind: 'diarize' as const, hasText: true, language: 'ps' as const, channelLanguages: null }
  expect(await startMeanwhileClosed({ params, workKey: 'closed' })).toEqual([])
  expect(await countJobs(queue(), { ownerId: user.id })).toBe(0)
  expect(await countJobs(queue(), { ownerId: other.id })).toBe(1)
})

test('the text that was to be translated goes with the job', async () => {
  const owner = { ownerId: user.id, recordingId: null }
  const sourceId = await saveSource(queue(), owner, { kind: 'text', text: 'سلام' })
  const choice = { transcriptionId: null, sourceLanguage: 'ps', targetLanguage: 'en', context: null, model: null }
  await startMeanwhileClosed({ params: { kind: 'translate', sourceId, ...choice, retry: null }, workKey: 'closed' })
  expect(await listSources(queue(), { ownerId: user.id })).toEqual([])
})
