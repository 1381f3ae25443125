import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { maxApiKeys } from '#contract/entities/api-key.ts'
import { toObjectId } from '#data/ids.ts'
import { oweWebhooks } from '#data/webhooks/owe-webhooks.ts'
import { enablePrintedCodes, enableTwoFactor, mailsTo, totp } from '#testing/accounts.ts'
import { openEvents } from '#testing/event-stream.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { upload, makeDialogue, uploadDialogue } from '#testing/uploads.ts'

const dayMs = 24 * 3_600_000
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { trustProxyHops: 1 } })
})
afterAll(() => server.close())

const inDays = (days: number) => new Date(server.clock.now() + days * dayMs).toISOString()

function create({ accessToken: token }: SignedInUser, body: object = {}, headers: Record<string, string> = {}) {
  const defaults = { name: 'Night import', scope: 'write' as const, expires_at: inDays(30) }
  return server.call(api.integrations.createKey, { body: { ...defaults, ...body }, token, headers })
}

async function listKeys({ accessToken: token }: SignedInUser) {
  return (await server.call(api.integrations.listKeys, { token })).data.keys
}

async function auditOf(target: string) {
  const { accessToken: token } = await server.createSignedIn({ role: 'admin' })
  const { events } = (await server.call(api.admin.audit, { query: { per_page: 100 }, token })).data
  return events.filter((event) => event.target === target).map(({ action }) => action)
}

test('a key is shown once, stored as a hash, and works until it is revoked', async () => {
  const user = await server.createSignedIn()
  const { status, data } = await create(user)
  expect(status).toBe(201)
  expect(data.token).toMatch(/^awz_[0-9a-f]{12}_[\w-]{43}$/)
  expect(data.token.startsWith(data.key.prefix)).toBe(true)
  const [listed, ...others] = await listKeys(user)
  expect(others).toEqual([])
  expect(listed).toEqual(data.key)
  const secret = data.token.slice(data.key.prefix.length + 1)
  const owned = { ownerId: toObjectId(user.id) }
  const stored = await server.services.database.connection.collection('api_keys').findOne(owned)
  expect(JSON.stringify(stored)).not.toContain(secret)

  const recordingId = await uploadDialogue(server, data.token)
  const read = await server.call(api.recordings.get, { params: { id: recordingId }, token: data.token })
  expect(read.data.id).toBe(recordingId)
  await server.call(api.integrations.revokeKey, { params: { id: data.key.id }, token: user.accessToken })
  const after = await server.call(api.recordings.list, { token: data.token })
  expect(after.error.code).toBe('session_expired')
  expect(await listKeys(user)).toEqual([])
  expect(await auditOf(data.key.prefix)).toEqual(['api_key.revoke', 'api_key.new_address', 'api_key.create'])
})

test('a token with another secret, a cut one and one in a cookie are refused', async () => {
  const { token } = (await create(await server.createSignedIn())).data
  const wrong = token.slice(0, -4) + (token.endsWith('AAAA') ? 'BBBB' : 'AAAA')
  for (const each of [wrong, token.slice(0, -1), token.slice(0, 16), `${token}x`]) {
    expect((await server.call(api.recordings.list, { token: each })).error.code).toBe('session_expired')
  }
})

test('the last use is written once a minute, and use from another address is audited once', async () => {
  const user = await server.createSignedIn()
  const { key, token } = (await create(user)).data
  const use = (address: string) => server.call(api.recordings.list, { token, headers: { 'X-Forwarded-For': address } })
  await use('198.51.100.7')
  const [first] = await listKeys(user)
  expect(first?.last_used_from).toBe('198.51.100.7')
  server.clock.advance(30_000)
  await use('198.51.100.8')
  expect(await listKeys(user)).toEqual([first])
  server.clock.advance(31_000)
  await use('198.51.100.8')
  expect((await listKeys(user))[0]).toMatchObject({ last_used_from: '198.51.100.8' })
  expect(await auditOf(key.prefix)).toEqual(['api_key.new_address', 'api_key.new_address', 'api_key.create'])
})

test('a key expires when it says, within two years', async () => {
  const user = await server.createSignedIn()
  expect((await create(user, { expires_at: inDays(732) })).error.fields).toEqual({
    expires_at: ['A key expires within two years'],
  })
  expect((await create(user, { expires_at: inDays(-1) })).error.code).toBe('invalid_input')
  const { token } = (await create(user, { expires_at: inDays(2) })).data
  expect((await server.call(api.recordings.list, { token })).status).toBe(200)
  server.clock.advance(2 * dayMs)
  expect((await server.call(api.recordings.list, { token })).error.code).toBe('session_expired')
})

test('creating a key asks for the password and for the second factor, and is told by mail', async () => {
  const user = await server.createSignedIn()
  const { secret } = await enableTwoFactor(server, user.accessToken)
  expect((await create(user)).error.details).toEqual(['Please enter your authenticator code'])
  expect((await create(user, {}, { 'X-TOTP-Token': '000000' })).error.code).toBe('wrong_code')
  expect((await create(user, {}, { 'X-TOTP-Token': await totp(server, secret, 1) })).status).toBe(201)
  const subjects = (await mailsTo(server, user.email)).map(({ subject }) => subject)
  expect(subjects).toContain('An API key was created')
  for (let tries = 0; tries < 5; tries += 1) await create(user, {}, { 'X-TOTP-Token': '000000' })
  expect((await create(user, {}, { 'X-TOTP-Token': '000000' })).error.code).toBe('account_locked')
  server.clock.advance(6 * 60_000)
  expect((await create(user)).error.code).toBe('password_confirmation_required')
})

test('whoever has a printed list is asked for a code of that', async () => {
  const user = await server.createSignedIn()
  const [code = ''] = await enablePrintedCodes(server, user.accessToken)
  expect((await create(user)).error.details).toEqual(['Please enter an 8-character code from your printed list'])
  expect((await create(user, {}, { 'X-TOTP-Token': code })).status).toBe(201)
})

test('a user has a limited number of keys', async () => {
  const user = await server.createSignedIn()
  for (let count = 0; count < maxApiKeys; count += 1) expect((await create(user)).status).toBe(201)
  expect((await create(user)).error.code).toBe('conflict')
})

test("nobody sees or revokes another user's keys", async () => {
  const [owner, other] = [await server.createSignedIn(), await server.createSignedIn({ role: 'super_admin' })]
  const { key, token } = (await create(owner)).data
  expect(await listKeys(other)).toEqual([])
  const revoked = await server.call(api.integrations.revokeKey, { params: { id: key.id }, token: other.accessToken })
  expect(revoked.error.code).toBe('not_found')
  expect((await server.call(api.recordings.list, { token })).status).toBe(200)
})

/** Uploads with a key, and lets something happen before the recording is stored. */
async function uploadWhile(token: string, happens: () => Promise<unknown>) {
  const { probe } = server.services.work
  const { measure } = probe
  probe.measure = async (...input) => {
    await happens()
    return measure(...input)
  }
  const outcome = await upload(server, token, { name: 'call.wav', content: makeDialogue() })
  probe.measure = measure
  return outcome
}

test('a revoked key stores no upload that it began, and other sessions keep theirs', async () => {
  const user = await server.createSignedIn()
  const { key, token } = (await create(user)).data
  const revoke = () => server.call(api.integrations.revokeKey, { params: { id: key.id }, token: user.accessToken })
  expect((await uploadWhile(token, revoke)).body.code).toBe('session_expired')
  expect((await server.call(api.recordings.list, { token: user.accessToken })).data.total).toBe(0)
})

test('a key stores no upload that it began before the library of its owner was closed', async () => {
  const user = await server.createSignedIn()
  const { token } = (await create(user)).data
  await enableTwoFactor(server, user.accessToken)
  const admin = await server.createSignedIn({ role: 'admin' })
  const input = { params: { id: user.id }, body: { reason: 'Lost the phone' }, token: admin.accessToken }
  const close = () => server.call(api.admin.resetTwoFactor, input)
  expect((await uploadWhile(token, close)).body.code).toBe('session_expired')
})

test('deleting an account deletes its keys, its webhooks and their deliveries', async () => {
  const [user, admin] = [await server.createSignedIn(), await server.createSignedIn({ role: 'admin' })]
  const { token } = (await create(user)).data
  const body = { url: 'https://example.org/hook', events: ['alert.raised' as const] }
  await server.call(api.integrations.createWebhook, { body, token: user.accessToken })
  const { connection } = server.services.database
  await oweWebhooks(connection, user.id, { key: 'one', type: 'alert.raised', data: {} })
  await server.call(api.admin.deleteUser, { params: { id: user.id }, token: admin.accessToken })
  expect((await server.call(api.recordings.list, { token })).error.code).toBe('session_expired')
  const owned = { ownerId: toObjectId(user.id) }
  const names = ['api_keys', 'webhooks', 'webhook_deliveries']
  const left = await Promise.all(names.map((name) => connection.collection(name).countDocuments(owned)))
  expect(left).toEqual([0, 0, 0])
})

test('an event stream that a key opened ends when the key is revoked', async () => {
  const user = await server.createSignedIn()
  const { key, token } = (await create(user, { scope: 'read' })).data
  const stream = await openEvents(server.url, token)
  await server.call(api.integrations.revokeKey, { params: { id: key.id }, token: user.accessToken })
  await stream.ended
  expect(stream.events.at(-1)).toEqual({ type: 'closed', reason: 'signed_out' })
})

test('calls with keys and without count against the same limit, wrong keys against the address', async () => {
  const limited = await startTestServer({ config: { rates: { callsPerMinute: 3 } } })
  try {
    const user = await limited.createSignedIn()
    const body = { name: 'x', scope: 'read' as const, expires_at: inDays(1) }
    const { token } = (await limited.call(api.integrations.createKey, { body, token: user.accessToken })).data
    const list = async (bearer: string) => (await limited.call(api.recordings.list, { token: bearer })).status
    expect([await list(token), await list(user.accessToken), await list(token)]).toEqual([200, 200, 429])
    const wrong = `${token.slice(0, -4)}AAAA`
    expect([await list(wrong), await list(wrong), await list(wrong), await list(wrong)]).toEqual([401, 401, 401, 429])
  } finally {
    await limited.close()
  }
})
