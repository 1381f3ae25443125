import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { defaultAlertDigest, type AlertDigest } from '#contract/alerts.ts'
import { alertDigestModel } from '#data/alerts/alert-digest-model.ts'
import { toObjectId } from '#data/ids.ts'
import { mailsTo } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { createDigestMails } from './digest-mails.ts'
import { WatchedCalls } from './testing/watched-calls.ts'

let server: TestServer
let calls: WatchedCalls

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  calls = new WatchedCalls(server, await server.createSignedIn())
})
afterAll(() => server.close())

const hourMs = 60 * 60_000
const river = 'we meet at the river'

function choose(choice: Partial<AlertDigest>) {
  const body = { ...defaultAlertDigest, ...choice }
  return server.call(api.alerts.changeDigest, { body, token: calls.token })
}

/** Sends what is due, as each of several servers does every few seconds. */
function sendDue() {
  const { services, clock, config } = server
  const { users, mailer, alerts, database } = services
  const options = { connection: database.connection, publicUrl: config.publicUrl, hasMailServer: true }
  return createDigestMails({ ...options, alerts, users, mailer, clock }).sendDue()
}

async function sentMails() {
  await Promise.all([sendDue(), sendDue(), sendDue()])
  return mailsTo(server, calls.user.email)
}

test('a user chooses mails, off until then; the time zone must be known', async () => {
  const read = async () => (await server.call(api.alerts.getDigest, { token: calls.token })).data
  expect(await read()).toEqual({ ...defaultAlertDigest, can_send: false })
  const choice: AlertDigest = { mode: 'daily', hour: 6, time_zone: 'Asia/Kabul', with_content: true }
  expect((await choose(choice)).data).toEqual({ ...choice, can_send: false })
  expect(await read()).toEqual({ ...choice, can_send: false })
  expect((await choose({ time_zone: 'Mars/Olympus' })).error.error).toBe('Not a known time zone')
})

test('who has not chosen mails gets none, also not of earlier alerts afterwards', async () => {
  await calls.watch()
  await calls.record([river])
  await calls.settle()
  expect(await sentMails()).toEqual([])
  await choose({ mode: 'immediately' })
  expect(await sentMails()).toEqual([])
})

test('one mail counts the alerts of a finished job, and names nothing', async () => {
  await calls.watch()
  await choose({ mode: 'immediately' })
  await calls.record([river, river])
  await calls.settle()
  const [mail, ...others] = await sentMails()
  expect(others).toEqual([])
  expect(mail?.subject).toBe('2 new alerts')
  expect(mail?.text).toContain('Your watch lists have 2 new alerts in 1 recording.')
  expect(mail?.text).toContain('/alerts')
  expect(mail?.text).not.toMatch(/river|call\.wav/i)
  expect(await sentMails()).toHaveLength(1)
})

test('a mail quotes the alerts where the user chose so', async () => {
  await calls.watch()
  await choose({ mode: 'immediately', with_content: true })
  await calls.record(['nothing', river])
  await calls.settle()
  const [mail] = await sentMails()
  expect(mail?.text).toContain(`call.wav · 00:00:10 · Rivers: ${river}`)
})

test('hourly mails collect alerts until the hour, without those that were reviewed', async () => {
  await calls.watch()
  await choose({ mode: 'hourly' })
  await calls.record([river])
  await calls.settle()
  await calls.record([river, river])
  const alerts = await calls.settle()
  await calls.mark([alerts[0]?.id ?? ''], 'reviewed')
  expect(await sentMails()).toEqual([])
  server.clock.advance(hourMs)
  expect((await sentMails()).map(({ subject }) => subject)).toEqual(['2 new alerts'])
})

test('a mail that was planned before the clock was set back is sent with the next alert', async () => {
  await calls.watch()
  await choose({ mode: 'hourly' })
  await calls.record([river])
  await calls.settle()
  const { connection } = server.services.database
  const own = { _id: toObjectId(calls.user.id) }
  await alertDigestModel(connection).updateOne(own, { $set: { dueAt: new Date(Date.now() + 1000 * 24 * hourMs) } })
  await calls.record([river])
  await calls.settle()
  server.clock.advance(hourMs)
  expect(await sentMails()).toHaveLength(1)
})
