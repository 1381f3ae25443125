import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { loadCheckpoints, saveCheckpoint } from '#data/jobs/checkpoints.ts'
import { completeJob, renewLease } from '#data/jobs/lease.ts'
import { createProgressWriter } from '#data/jobs/progress.ts'
import { enableTwoFactor, signIn } from '#testing/accounts.ts'
import { takeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { listAudioFiles, uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'
import { countJobs, listTextChanges, listJobs } from '#testing/stored-work.ts'
import { startJob } from '../jobs/start-job.ts'

let server: TestServer
let admin: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.createSignedIn({ role: 'admin' })
})
afterAll(() => server.close())

const respondAsync = { Prefer: 'respond-async' }

/** Creates a user with a running and a queued job, and with one of everything an account can own. */
async function makeBusyUser() {
  const user = await server.createSignedIn()
  const token = user.accessToken
  await signIn(server, { ...user, remember_me: true })
  await server.call(api.auth.signIn, { body: { email: user.email, password: 'Wrong-moon7' } })
  const keywords = { threats: ['one'], sentiment: [], intent: [], custom: [] }
  await server.call(api.keywords.replace, { body: keywords, token })
  await server.call(api.auth.forgotPassword, { body: { email: user.email } })
  const recordingId = await uploadDialogue(server, token)
  await joinCases(user, recordingId)
  await server.call(api.audio.transcribe, { body: { file_id: recordingId }, token, headers: respondAsync })
  await server.call(api.audio.translate, { body: { text: 'سلام' }, token, headers: respondAsync })
  const { queue } = server.services.work
  const running = await takeJob(queue)
  const write = createProgressWriter(queue, running)
  await write(progress('سلام'))
  await saveCheckpoint(queue, running.id, 'window', { text: 'سلام' })
  await enableTwoFactor(server, token)
  return { user, recordingId, running, write }
}

/** Adds a recording to one of its owner's cases and one of the admin's. */
async function joinCases({ accessToken: token, email }: SignedInUser, recordingId: string): Promise<void> {
  const own = await server.call(api.cases.create, { body: { name: 'Own' }, token })
  const shared = await server.call(api.cases.create, { body: { name: 'Shared' }, token: admin.accessToken })
  const params = { id: shared.data.id }
  await server.call(api.cases.setMember, { params, body: { email, role: 'edit' }, token: admin.accessToken })
  const body = { selection: { ids: [recordingId] } }
  for (const { data } of [own, shared]) {
    expect((await server.call(api.cases.addRecordings, { params: { id: data.id }, body, token })).data.added).toBe(1)
  }
}

function progress(text: string) {
  return {
    current_segment: 1,
    total_segments: 2,
    detected_language: 'ps',
    language_probability: 0.9,
    latest_segment: null,
    partial_text: text,
    partial_segments: [],
  }
}

/** Returns every document outside the audit trail that contains one of the texts, by collection. */
async function findTraces(texts: string[]): Promise<string[]> {
  const { connection } = server.services.database
  const found: string[] = []
  for (const { name } of (await connection.db?.listCollections().toArray()) ?? []) {
    if (name === 'audit_events') continue
    for (const document of await connection.collection(name).find().toArray()) {
      const text = JSON.stringify(document)
      if (texts.some((each) => text.includes(each))) found.push(`${name}: ${text.slice(0, 200)}`)
    }
  }
  return found
}

test('deleting a user leaves nothing, and a running job writes nothing any more', async () => {
  const { user, recordingId, running, write } = await makeBusyUser()
  const { queue } = server.services.work
  const texts = [user.id, user.email, recordingId, running.id]
  expect((await findTraces(texts)).length).toBeGreaterThan(8)
  const removed = await server.call(api.admin.deleteUser, { params: { id: user.id }, token: admin.accessToken })
  expect(removed.status).toBe(200)

  expect(await renewLease(queue, running)).toBe(false)
  expect(await write(progress('سلام زما ملګریه'))).toBe(false)
  expect(await completeJob(queue, running, { result: makeTranscription(), languages: ['ps'] })).toBe(false)
  await saveCheckpoint(queue, running.id, 'late', { text: 'سلام' })
  expect(await findTraces(texts)).toEqual([])
  expect(await listAudioFiles(server)).toEqual([])
})

test('deactivating a user keeps recordings and results, and cancels all jobs', async () => {
  const { user, recordingId, running, write } = await makeBusyUser()
  const { queue } = server.services.work
  const body = { is_active: false }
  await server.call(api.admin.setStatus, { params: { id: user.id }, body, token: admin.accessToken })

  const states = await listJobs(queue, { ownerId: running.ownerId })
  expect(states.map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
  expect(await write(progress('سلام زما ملګریه'))).toBe(false)
  expect(await completeJob(queue, running, { result: makeTranscription(), languages: ['ps'] })).toBe(false)
  await saveCheckpoint(queue, running.id, 'late', { text: 'سلام' })
  expect((await loadCheckpoints(queue, running.id)).size).toBe(0)
  expect(await listTextChanges(queue, running.id)).toHaveLength(0)
  expect(await listAudioFiles(server)).toEqual([expect.stringContaining(recordingId)])
})

test('a job requested while its user is deactivated is withdrawn', async () => {
  const user = await server.createSignedIn()
  const ownerId = user.id
  await server.services.users.update(user.id, { isActive: false })
  const work = {
    ownerId,
    recordingId: null,
    params: { kind: 'diarize' as const, hasText: false, language: 'ps' as const, channelLanguages: null },
    workKey: 'late',
  }
  const late = startJob(server.services.work, work, { isForced: false })
  await expect(late).rejects.toMatchObject({ code: 'session_expired' })
  expect(await countJobs(server.services.work.queue, { ownerId })).toBe(0)
})

test('no sign-in with the old password survives a simultaneous change of the password', async () => {
  const user = await server.createSignedIn()
  const { email, password } = user
  const signingIn = Array.from({ length: 6 }, () => server.call(api.auth.signIn, { body: { email, password } }))
  const body = { current_password: password, new_password: 'Other-harvest8!' }
  const changing = server.call(api.profile.changePassword, { token: user.accessToken, body })
  const answers = await Promise.all(signingIn)
  const renewed = (await changing).data.access_token
  for (const { data } of answers.filter(({ status }) => status === 200)) {
    const token = 'access_token' in data ? data.access_token : ''
    expect((await server.call(api.profile.get, { token })).status).toBe(401)
  }
  expect((await server.call(api.profile.get, { token: renewed })).status).toBe(200)
})
