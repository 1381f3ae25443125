import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { batchModel } from '#data/batches/batch-model.ts'
import { toObjectId } from '#data/ids.ts'
import { deleteAllJobs } from '#testing/stored-work.ts'
import { mailsTo } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { createJobMails } from '../jobs/job-mails.ts'
import { createBatchMails } from './batch-mails.ts'
import { createBatchWorld } from './testing/batch-world.ts'

let server: TestServer
let user: SignedInUser

beforeAll(async () => {
  // Has a mail server, so that if the server's own round runs first, it sends the same mail.
  server = await startTestServer({ config: { smtpUrl: 'smtp://127.0.0.1:9' } })
})
beforeEach(async () => {
  await deleteAllJobs(server.services.work.queue)
  user = await server.createSignedIn()
})
afterAll(() => server.close())

const minuteMs = 60_000

/** Completes a batch that began `tookMs` ago, with two recordings, one of which fails. */
async function endBatch({ tookMs, isCancelled = false }: { tookMs: number; isCancelled?: boolean }) {
  const { connection } = server.services.work
  const world = createBatchWorld(server)
  const ids = await world.storeRecordings(user, 2)
  const transcribe = { language: 'ps' as const, channel_languages: null }
  const { id } = await world.startBatch(user, { selection: { ids }, transcribe })
  const startedAt = new Date(Date.now() - tookMs)
  await batchModel(connection).updateOne({ _id: toObjectId(id) }, { $set: { startedAt } })
  if (isCancelled) await server.call(api.batches.cancel, { params: { id }, token: user.accessToken })
  await world.workAll(({ recordingId }) => recordingId === ids[0])
  // A server round that began before `startedAt` was changed updates nothing; the next one does.
  const readState = async () => (await world.readBatch(user, id)).batch.state
  await expect.poll(readState).toBe(isCancelled ? 'cancelled' : 'done')
}

async function sentMails() {
  const { users, mailer, work } = server.services
  const deps = { users, mailer, clock: server.clock, publicUrl: server.config.publicUrl, hasMailServer: true }
  await createBatchMails({ ...deps, connection: work.connection }).sendDue()
  await createJobMails({ ...deps, queue: work.queue }).sendDue()
  return mailsTo(server, user.email)
}

test('a user gets one mail when a batch that took long has ended, and none for its jobs', async () => {
  await endBatch({ tookMs: 6 * minuteMs })
  const [mail, ...others] = await sentMails()
  expect(others).toEqual([])
  expect(mail?.subject).toBe('Your batch is finished, with failures')
  expect(mail?.text).toContain('1 done, 1 failed, 0 skipped.')
  expect(mail?.text).not.toContain('.wav')
  expect(await sentMails()).toHaveLength(1)
})

test.each([
  ['was short', { tookMs: 4 * minuteMs }],
  ['was cancelled', { tookMs: 6 * minuteMs, isCancelled: true }],
])('nobody gets a mail about a batch that %s', async (_, batch) => {
  await endBatch(batch)
  expect(await sentMails()).toEqual([])
})

test('who switched these mails off gets none', async () => {
  const body = { email: false, security_alerts: true }
  await server.call(api.profile.changeNotifications, { body, token: user.accessToken })
  await endBatch({ tookMs: 6 * minuteMs })
  expect(await sentMails()).toEqual([])
})
