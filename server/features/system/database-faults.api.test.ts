import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { AllowedHostList } from '#data/network-ranges.ts'
import { mailsTo } from '#testing/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { openLibraryFollower } from '#testing/library.ts'
import type { SeenCommand } from '#testing/scripted-mongo/faults.ts'
import { startScriptedMongo, type ScriptedMongo } from '#testing/scripted-mongo/scripted-mongo.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { listJobs, patchJob } from '#testing/stored-work.ts'
import { makeDialogue, upload, uploadDialogue } from '#testing/uploads.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#testing/webhook-receiver.ts'
import { createJobMails } from '../jobs/job-mails.ts'
import { createWebhookCalls } from '../webhooks/testing/webhook-calls.ts'

const minuteMs = 60_000
let direct: TestDatabase
/** A standalone server, because drivers do not retry writes on one. */
let mongo: ScriptedMongo
let server: TestServer
let user: SignedInUser

beforeEach(async () => {
  direct = await createTestDatabase({ isEmbedded: true })
  mongo = await startScriptedMongo({ upstreamUri: direct.uri, kind: 'standalone' })
  vi.stubEnv('MONGODB_URI', mongo.uri)
  server = await startTestServer({ config: { webhookAllowPrivate: AllowedHostList.parse('127.0.0.1') } })
  user = await server.createSignedIn()
})
afterEach(async () => {
  await server.close()
  await mongo.close()
  vi.unstubAllEnvs()
  await direct.drop()
})

function writeTo(collection: string) {
  return (command: SeenCommand) => command.isWrite && command.collection === collection
}

describe('a webhook', () => {
  let receiver: WebhookReceiver
  let calls: ReturnType<typeof createWebhookCalls>
  let webhookId: string

  beforeEach(async () => {
    receiver = await startWebhookReceiver()
    calls = createWebhookCalls(server)
    const body = { url: receiver.url, events: ['alert.raised' as const] }
    const { data } = await server.call(api.integrations.createWebhook, { body, token: user.accessToken })
    webhookId = data.webhook.id
    await calls.raiseAlert(user, 'one')
  })
  afterEach(() => receiver.close())

  test('is not sent again because its outcome could not be stored at once', async () => {
    const begun = mongo.failNext(writeTo('webhook_deliveries'), 'lose_reply')
    await expect(server.services.webhooks.sendDue()).rejects.toThrow(/closed|ECONNRESET|timed out/)
    await begun
    server.clock.advance(2 * minuteMs)
    let attempts = 0
    mongo.failBy((command) => {
      if (!writeTo('webhook_deliveries')(command)) return undefined
      attempts += 1
      return attempts === 2 ? 'drop' : undefined
    })
    await server.services.webhooks.sendDue()
    expect(attempts).toBe(3)
    expect(receiver.requests).toHaveLength(1)
    const signedIn = await calls.signInAgain(user)
    expect(await calls.listDeliveries(signedIn, webhookId)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })
})

describe('a mail', () => {
  test('about a job that ended is written although its recipient could not be read at once', async () => {
    await endLongJob()
    const failed = mongo.failNext(({ name, collection }) => name === 'find' && collection === 'users', 'drop')
    await sendJobMails()
    await failed
    expect(await mailsTo(server, user.email)).toHaveLength(1)
  })

  test.each(['drop', 'lose_reply'] as const)('is stored once where the database fails meanwhile: %s', async (fault) => {
    await endLongJob()
    const failed = mongo.failNext(writeTo('outbox_mails'), fault)
    await sendJobMails()
    await failed
    expect(await mailsTo(server, user.email)).toMatchObject([{ subject: 'Your transcription is finished' }])
  })

  async function endLongJob(): Promise<void> {
    const { queue } = server.services.work
    const file_id = await uploadDialogue(server, user.accessToken)
    const headers = { Prefer: 'respond-async' }
    await server.call(api.audio.transcribe, { body: { file_id }, token: user.accessToken, headers })
    const [job] = await listJobs(queue, { ownerId: user.id })
    const finishedAt = new Date()
    const createdAt = new Date(finishedAt.getTime() - 6 * minuteMs)
    await patchJob(queue, job?.id ?? '', { state: 'done', finishedAt, createdAt })
  }

  async function sendJobMails(): Promise<void> {
    const { services, clock, config } = server
    const { users, mailer, work } = services
    const options = { users, mailer, clock, publicUrl: config.publicUrl, hasMailServer: true }
    await createJobMails({ ...options, queue: work.queue }).sendDue()
    await mailer.idle()
  }
})

describe('a recording', () => {
  test('has its sound although the reply to its document was lost', async () => {
    const lost = mongo.failNext(writeTo('recordings'), 'lose_reply')
    const { status } = await upload(server, user.accessToken, { name: 'call.wav', content: makeDialogue() })
    await lost
    expect(status).toBe(503)
    const { recordings } = (await server.call(api.recordings.list, { token: user.accessToken })).data
    expect(recordings).toHaveLength(1)
    const { id } = recordings[0] ?? { id: '' }
    const sound = await fetch(`${server.url}/api/audio/${id}`, {
      headers: { Authorization: `Bearer ${user.accessToken}` },
    })
    expect(new Uint8Array(await sound.arrayBuffer())).toEqual(makeDialogue())
  })

  test('gets its entry in the library by the next look where an election kept it from being written', async () => {
    const { connection } = server.services.database
    const follower = openLibraryFollower(connection)
    await follower.settle()
    await uploadDialogue(server, user.accessToken)
    await connection.collection('library_entries').deleteMany({})
    const failed = mongo.failNext(writeTo('library_entries'), { code: 10107 })
    await expect(follower.poll()).rejects.toThrow('It fails in this test')
    await failed
    await follower.poll()
    expect(await connection.collection('library_entries').countDocuments()).toBe(1)
  })
})
