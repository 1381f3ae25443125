import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { maxWebhooks, type WebhookEvent } from '#contract/entities/webhook.ts'
import { AllowedHostList } from '#data/network-ranges.ts'
import { failAttempt } from '#data/jobs/lease.ts'
import { mailsTo } from '#testing/accounts.ts'
import { finishNextJob, takeJob } from '#testing/jobs.ts'
import { settleLibrary } from '#testing/library.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#testing/webhook-receiver.ts'
import { makeTranscription } from '#testing/work.ts'
import { createVerifier, createWebhookCalls } from './testing/webhook-calls.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
let server: TestServer
/** Responds with `status`. */
let receiver: WebhookReceiver
let calls: ReturnType<typeof createWebhookCalls>
let status = 204
beforeAll(async () => {
  const webhookAllowPrivate = AllowedHostList.parse('127.0.0.1')
  server = await startTestServer({ config: { webhookAllowPrivate, publicUrl: 'https://awaz.test' } })
  calls = createWebhookCalls(server)
  receiver = await startWebhookReceiver((response) => response.writeHead(status).end())
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})

const connection = () => server.services.database.connection
const settle = () => settleLibrary(connection())
const sendDue = () => server.services.webhooks.sendDue()
const settleAndSend = () => settle().then(sendDue)
const verifierOf = (secret: string) => createVerifier(secret, () => server.clock.now())
const allEvents: WebhookEvent[] = ['job.finished', 'job.failed', 'alert.raised']

async function createWebhook(user: SignedInUser, { url = receiver.url, events = allEvents } = {}) {
  const { data } = await server.call(api.integrations.createWebhook, { body: { url, events }, token: user.accessToken })
  receiver.requests.length = 0
  status = 204
  return { id: data.webhook.id, secret: data.secret }
}

/** Uploads a recording and requests its transcription. */
async function startTranscription(token: string): Promise<string> {
  const recordingId = await uploadDialogue(server, token)
  const body = { file_id: recordingId, language: 'ps' as const }
  await server.call(api.audio.transcribe, { body, token, headers: { Prefer: 'respond-async' } })
  return recordingId
}

test('ended jobs are sent once, signed, without what was said', async () => {
  const user = await server.createSignedIn()
  const { accessToken: token } = user
  await startTranscription(token)
  await finishNextJob(server.services.work.queue, makeTranscription(), ['ps'])
  await settle()
  const { id, secret } = await createWebhook(user, { events: ['job.finished', 'job.failed'] })
  const recordingId = await startTranscription(token)
  const job = await finishNextJob(server.services.work.queue, makeTranscription(), ['ps'])
  await settle()
  await server.call(api.recordings.update, { params: { id: recordingId }, body: { name: 'renamed.wav' }, token })
  await settleAndSend()
  expect(receiver.requests).toHaveLength(1)
  const [request] = receiver.requests
  expect(request && verifierOf(secret)(request)).toEqual({
    id: `msg_${(await calls.listDeliveries(user, id))[0]?.id}`,
    type: 'job.finished',
    timestamp: expect.any(String),
    data: {
      job_id: job.id,
      recording_id: recordingId,
      recording_url: `https://awaz.test/transcribe?recording=${recordingId}`,
      kind: 'transcribe',
      state: 'done',
      languages: ['ps'],
      target_language: null,
      attempts: 1,
      recording_seconds: 2,
      created_at: expect.any(String),
      finished_at: expect.any(String),
    },
  })
})

test('a failed job is sent with its code, to whoever wants failures', async () => {
  const user = await server.createSignedIn()
  const { accessToken: token } = user
  await createWebhook(user, { events: ['job.failed'] })
  await startTranscription(token)
  const { queue } = server.services.work
  const error = new AppError('unreadable_audio', 'It names call.wav')
  await failAttempt(queue, await takeJob(queue), error, { isFinal: true })
  await settleAndSend()
  const sent = receiver.requests.map(({ body }) => JSON.parse(body) as object)
  expect(sent).toMatchObject([{ type: 'job.failed', data: { state: 'failed', error_code: 'unreadable_audio' } }])
  expect(JSON.stringify(sent)).not.toContain('call.wav')
})

test('a receiver can tell a message that was changed, is old or came before', async () => {
  const user = await server.createSignedIn()
  const { secret } = await createWebhook(user)
  await calls.raiseAlert(user, 'one')
  await sendDue()
  const [request] = receiver.requests
  if (!request) throw new Error('nothing was sent')
  expect(verifierOf(secret)({ ...request, body: request.body.replace('one', 'two') })).toBe('wrong signature')
  const moved = { ...request, headers: { ...request.headers, 'webhook-timestamp': '1' } }
  expect(verifierOf(secret)(moved)).toBe('wrong signature')
  expect(verifierOf(`whsec_${Buffer.alloc(32).toString('base64')}`)(request)).toBe('wrong signature')
  expect(verifierOf(secret)(request, server.clock.now() + 10 * minuteMs)).toBe('too old')
  const verify = verifierOf(secret)
  expect([verify(request), verify(request)]).toMatchObject([{ type: 'alert.raised' }, 'seen before'])
})

test('an event that is owed again, or by a process that was killed, is sent once', async () => {
  const user = await server.createSignedIn()
  await createWebhook(user)
  await Promise.all([calls.raiseAlert(user, 'same'), calls.raiseAlert(user, 'same')])
  // The state after a kill -9 between storing the delivery and updating its webhook.
  await connection()
    .collection('webhooks')
    .updateMany({}, { $set: { dueAt: new Date('9999-01-01') } })
  await sendDue()
  expect(receiver.requests).toEqual([])
  await calls.raiseAlert(user, 'same')
  await sendDue()
  await calls.raiseAlert(user, 'same')
  await sendDue()
  expect(receiver.requests).toHaveLength(1)
})

test('a failed delivery comes again after 10 s, 1 min, 5 min, 30 min, 2 h, 6 h and 24 h, with the same id', async () => {
  let user = await server.createSignedIn()
  const { id, secret } = await createWebhook(user)
  status = 500
  await calls.raiseAlert(user, 'retried')
  await sendDue()
  const delays = [10 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 24 * hourMs]
  for (const [index, delay] of delays.entries()) {
    server.clock.advance(delay - 5 * secondMs)
    await sendDue()
    expect(receiver.requests).toHaveLength(index + 1)
    server.clock.advance(5 * secondMs)
    await sendDue()
    expect(receiver.requests).toHaveLength(index + 2)
  }
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  user = await calls.signInAgain(user)
  const last = receiver.requests.at(-1)
  expect(last && verifierOf(secret)(last)).toMatchObject({ type: 'alert.raised' })
  expect(await calls.listDeliveries(user, id)).toMatchObject([
    { state: 'failed', attempts: 8, next_attempt_at: null, status: 500, error: 'The receiver answered 500.' },
  ])
  server.clock.advance(48 * hourMs)
  await sendDue()
  expect(receiver.requests).toHaveLength(8)
  status = 200
  user = await calls.signInAgain(user)
  const [{ id: failedId = '' } = {}] = await calls.listDeliveries(user, id)
  const params = { id, delivery_id: failedId }
  const retried = await server.call(api.integrations.retryDelivery, { params, token: user.accessToken })
  expect(retried.data).toMatchObject({ state: 'delivered', status: 200, error: null, attempts: 9 })
})

test('a receiver that hangs holds up nobody else, and one user does not hold up another', async () => {
  const [hanging, other] = [await server.createSignedIn(), await server.createSignedIn()]
  const held = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const slow = await startWebhookReceiver(async (response) => {
    arrived.resolve()
    await held.promise
    response.writeHead(204).end()
  })
  for (let count = 0; count < maxWebhooks; count += 1) await createWebhook(hanging, { url: `${slow.url}/${count}` })
  await createWebhook(other)
  await calls.raiseAlert(hanging, 'slow')
  const first = sendDue()
  await arrived.promise
  await calls.raiseAlert(other, 'quick')
  const second = sendDue()
  await vi.waitFor(() => expect(receiver.requests).toHaveLength(1))
  held.resolve()
  await Promise.all([first, second])
  expect(slow.requests).toHaveLength(maxWebhooks)
  await slow.close()
})

test('a webhook whose receiver failed for more than a day is switched off and told; switched on again, it sends what waits', async () => {
  let user = await server.createSignedIn()
  const { id } = await createWebhook(user)
  status = 503
  for (const key of ['a', 'b', 'c']) await calls.raiseAlert(user, key)
  for (const delay of [0, 10 * minuteMs, hourMs, 3 * hourMs, 8 * hourMs, 24 * hourMs, 25 * hourMs]) {
    server.clock.advance(delay)
    for (let tries = 0; tries < 4; tries += 1) {
      await sendDue()
      server.clock.advance(6 * minuteMs)
    }
  }
  user = await calls.signInAgain(user)
  const off = await calls.readFirst(user)
  expect(off).toMatchObject({ is_enabled: false, switched_off_at: expect.any(String) })
  const subjects = (await mailsTo(server, user.email)).map(({ subject }) => subject)
  expect(subjects).toEqual(['A webhook was switched off'])
  await calls.raiseAlert(user, 'while off')
  status = 200
  receiver.requests.length = 0
  server.clock.advance(24 * hourMs)
  await sendDue()
  expect(receiver.requests).toEqual([])
  user = await calls.signInAgain(user)
  expect((await calls.change(user, id, { is_enabled: true })).data).toMatchObject({
    is_enabled: true,
    switched_off_at: null,
  })
  await calls.raiseAlert(user, 'on again')
  await sendDue()
  const keys = receiver.requests.map(({ body }) => (JSON.parse(body) as { data: { alert_id: string } }).data.alert_id)
  expect(keys).toContain('on again')
  expect(keys).not.toContain('while off')
})

test('what happens while a webhook is off, or is no event of its, is not sent; an unwanted account gets nothing', async () => {
  const user = await server.createSignedIn()
  const { id } = await createWebhook(user, { events: ['job.failed'] })
  await calls.raiseAlert(user, 'not wanted')
  await calls.change(user, id, { events: ['alert.raised'], is_enabled: false })
  await calls.raiseAlert(user, 'off')
  await calls.change(user, id, { is_enabled: true })
  await calls.raiseAlert(user, 'on')
  await server.services.users.update(user.id, { isActive: false })
  await sendDue()
  expect(receiver.requests).toEqual([])
  await server.services.users.update(user.id, { isActive: true })
  server.clock.advance(61 * minuteMs)
  await sendDue()
  expect(receiver.requests.map(({ body }) => body)).toEqual([expect.stringContaining('"alert_id":"on"')])
})

test('a deleted webhook sends nothing more and leaves nothing', async () => {
  const user = await server.createSignedIn()
  const { id } = await createWebhook(user)
  await calls.raiseAlert(user, 'too late')
  await server.call(api.integrations.removeWebhook, { params: { id }, token: user.accessToken })
  await sendDue()
  expect(receiver.requests).toEqual([])
  expect(await calls.countDeliveries(id)).toBe(0)
})

test('a test sends a ping at once and returns what became of it', async () => {
  const user = await server.createSignedIn()
  const { id, secret } = await createWebhook(user)
  await calls.change(user, id, { is_enabled: false })
  server.clock.stop() // the limit is per minute
  const sendTest = () => server.call(api.integrations.testWebhook, { params: { id }, token: user.accessToken })
  expect((await sendTest()).data).toMatchObject({ event: 'ping', state: 'delivered', status: 204, attempts: 1 })
  const [request] = receiver.requests
  expect(request && verifierOf(secret)(request)).toMatchObject({ type: 'ping', data: {} })
  status = 404
  expect((await sendTest()).data).toMatchObject({ state: 'failed', error: 'The receiver answered 404.' })
  expect((await calls.readFirst(user))?.last_attempt).toMatchObject({ is_delivered: false })
  expect((await calls.listDeliveries(user, id)).map(({ state }) => state)).toEqual(['failed', 'delivered'])
  for (let count = 0; count < 18; count += 1) await sendTest()
  expect((await sendTest()).error.code).toBe('rate_limited')
})

test('addresses that nothing may be sent to are refused with the reason', async () => {
  const { accessToken: token } = await server.createSignedIn()
  const create = (url: string) =>
    server.call(api.integrations.createWebhook, { body: { url, events: ['alert.raised'] }, token })
  expect((await create('https://10.0.0.1/')).error.fields?.url?.[0]).toContain('WEBHOOK_ALLOW_PRIVATE')
  expect((await create('https://example.org/hook')).status).toBe(201)
})

test("a user has a limited number of webhooks, and sees nobody else's", async () => {
  const [user, other] = [await server.createSignedIn(), await server.createSignedIn({ role: 'super_admin' })]
  for (let count = 0; count < maxWebhooks; count += 1) await createWebhook(user)
  const surplus = { body: { url: receiver.url, events: allEvents }, token: user.accessToken }
  expect((await server.call(api.integrations.createWebhook, surplus)).error.code).toBe('conflict')
  const id = (await calls.readFirst(user))?.id ?? ''
  const delivery = (await server.call(api.integrations.testWebhook, { params: { id }, token: user.accessToken })).data
  const token = other.accessToken
  const { integrations } = api
  const foreign = [
    await calls.change(other, id, { is_enabled: false }),
    await server.call(integrations.removeWebhook, { params: { id }, token }),
    await server.call(integrations.testWebhook, { params: { id }, token }),
    await server.call(integrations.listDeliveries, { params: { id }, token }),
    await server.call(integrations.retryDelivery, { params: { id, delivery_id: delivery.id }, token }),
  ]
  expect(foreign.map(({ error }) => error.code)).toEqual(Array(5).fill('not_found'))
  expect((await server.call(integrations.listWebhooks, { token })).data.webhooks).toEqual([])
  expect(await calls.readFirst(user)).toMatchObject({ is_enabled: true })
})
