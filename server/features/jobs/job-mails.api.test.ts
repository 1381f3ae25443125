import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { mailsTo } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { deleteAllJobs, listJobs, patchJob } from '#testing/stored-work.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { createJobMails } from './job-mails.ts'

let server: TestServer
let user: SignedInUser
let recordingId: string

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  await deleteAllJobs(server.services.work.queue)
  user = await server.createSignedIn()
  recordingId = await uploadDialogue(server, user.accessToken)
})
afterAll(() => server.close())

const minuteMs = 60_000

/** Ends a transcription that was requested `tookMs` ago. */
async function endJob({ tookMs, state = 'done' }: { tookMs: number; state?: 'done' | 'failed' | 'cancelled' }) {
  const { queue } = server.services.work
  const headers = { Prefer: 'respond-async' }
  await server.call(api.audio.transcribe, { body: { file_id: recordingId }, token: user.accessToken, headers })
  const [job] = await listJobs(queue, { ownerId: user.id })
  const finishedAt = new Date()
  await patchJob(queue, job?.id ?? '', { state, finishedAt, createdAt: new Date(finishedAt.getTime() - tookMs) })
}

function jobMails(hasMailServer = true) {
  const { services, clock, config } = server
  const { users, mailer, work } = services
  return createJobMails({ queue: work.queue, users, mailer, clock, publicUrl: config.publicUrl, hasMailServer })
}

async function sentMails() {
  await jobMails().sendDue()
  return mailsTo(server, user.email)
}

test('a user is told once that a job that took long has ended, by a link and no name', async () => {
  await endJob({ tookMs: 6 * minuteMs })
  const [mail, ...others] = await sentMails()
  expect(others).toEqual([])
  expect(mail?.subject).toBe('Your transcription is finished')
  expect(mail?.text).toContain(`/transcribe?recording=${recordingId}`)
  expect(mail?.text).not.toContain('.wav')
  expect(await sentMails()).toHaveLength(1)
})

test('a job that failed is told too', async () => {
  await endJob({ tookMs: 6 * minuteMs, state: 'failed' })
  expect(await sentMails()).toMatchObject([{ subject: 'Your transcription has failed' }])
})

test.each([
  ['was short', { tookMs: 4 * minuteMs }],
  ['was cancelled', { tookMs: 6 * minuteMs, state: 'cancelled' as const }],
])('nobody is told of a job that %s', async (_, job) => {
  await endJob(job)
  expect(await sentMails()).toEqual([])
})

test('without a mail server nobody is told: a notice is not worth handing over by hand', async () => {
  await endJob({ tookMs: 6 * minuteMs })
  await jobMails(false).sendDue()
  expect(await sentMails()).toEqual([])
})

test('who switched these mails off gets none', async () => {
  const body = { email: false, security_alerts: true }
  await server.call(api.profile.changeNotifications, { body, token: user.accessToken })
  await endJob({ tookMs: 6 * minuteMs })
  expect(await sentMails()).toEqual([])
})
