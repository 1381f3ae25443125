import { afterEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { readConfig } from '#data/config.ts'
import { message } from '#testing/messages.ts'
import { makeDialogue, upload } from '#testing/uploads.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '#testing/server.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(config: TestServerOptions['config']): Promise<TestServer> {
  server = await startTestServer({ config })
  return server
}

test('limits sign-ins of an address, says when to retry, and accepts them again after that', async () => {
  const { call, clock } = await start({ rates: { signInPerMinute: 3 } })
  const attempt = (email: string) => call(api.auth.signIn, { body: { email, password: 'Wrong-moon7' } })
  for (const name of ['a', 'b', 'c']) expect((await attempt(`${name}@example.org`)).status).toBe(401)
  const refused = await attempt('d@example.org')
  expect([refused.status, refused.error.code, refused.error.error]).toEqual([
    429,
    'rate_limited',
    message('signin-too-many'),
  ])
  expect(Number(refused.headers.get('Retry-After'))).toBe(refused.error.remaining_seconds)
  clock.advance(60_000)
  expect((await attempt('d@example.org')).status).toBe(401)
})

test('limits registrations, reset mails and verification mails, alike for unknown accounts', async () => {
  const { call } = await start({
    rates: { signUpPerHour: 4, mailPerHour: 4, mailPerAccountHour: 2, resendPerMinute: 1 },
  })
  const statuses: number[] = []
  for (let n = 0; n < 3; n += 1) {
    statuses.push((await call(api.auth.forgotPassword, { body: { email: 'nobody@example.org' } })).status)
  }
  expect(statuses).toEqual([200, 200, 429])
  const resend = () => call(api.auth.resendVerification, { body: { email: 'nobody@example.org' } })
  expect([(await resend()).status, (await resend()).error.error]).toEqual([200, message('too-many')])
  for (let n = 0; n < 4; n += 1) await call(api.auth.signUp, { body: { email: '', username: '', password: '' } })
  const body = (n: number) => ({ email: `n${n}@example.org`, username: `n${n}`, password: 'Harvest-moon7' })
  for (let n = 0; n < 4; n += 1) expect((await call(api.auth.signUp, { body: body(n) })).status).toBe(201)
  expect((await call(api.auth.signUp, { body: body(5) })).error.error).toBe(message('signup-too-many'))
})

test('the fourth reset mail of an account within an hour waits for the next hour, and says how long', async () => {
  const { rates } = readConfig({})
  const { call, clock } = await start({ rates: { mailPerAccountHour: rates.mailPerAccountHour } })
  const request = () => call(api.auth.forgotPassword, { body: { email: 'often@example.org' } })
  for (let n = 0; n < 3; n += 1) expect((await request()).status).toBe(200)
  const refused = await request()
  expect([refused.status, refused.error.error]).toEqual([429, message('too-many')])
  const seconds = refused.error.remaining_seconds ?? 0
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(3600)
  expect(Number(refused.headers.get('Retry-After'))).toBe(seconds)
  clock.advance(seconds * 1000)
  expect((await request()).status).toBe(200)
})

test('limits all other calls per user', async () => {
  const { call, createSignedIn } = await start({ rates: { callsPerMinute: 5 } })
  const user = await createSignedIn()
  const statuses: number[] = []
  for (let n = 0; n < 6; n += 1) statuses.push((await call(api.profile.get, { token: user.accessToken })).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  expect((await call(api.profile.get, { token: (await createSignedIn()).accessToken })).status).toBe(200)
})

test('counts calls that are forbidden, so that nobody floods the audit trail', async () => {
  const { call, createSignedIn } = await start({ rates: { callsPerMinute: 2 } })
  const { accessToken: token } = await createSignedIn()
  const statuses: number[] = []
  for (let n = 0; n < 3; n += 1) statuses.push((await call(api.admin.stats, { token })).status)
  expect(statuses).toEqual([403, 403, 429])
})

test('reads the address from a trusted proxy, and warns when none is trusted', async () => {
  const trusting = await start({ trustProxyHops: 1 })
  const user = await trusting.createUser()
  const headers = { 'X-Forwarded-For': '203.0.113.9, 198.51.100.7' }
  await trusting.call(api.auth.signIn, { body: { email: user.email, password: user.password }, headers })
  const [session] = await trusting.services.sessions.list(user.id)
  expect(session?.ip).toBe('198.51.100.7')
  await trusting.close()
  const untrusting = await start({})
  await untrusting.call(api.system.config, { headers })
  expect(untrusting.logLines.filter((line) => line.includes('TRUST_PROXY_HOPS'))).toHaveLength(1)
})

test('the gate requires two-factor when configured', async () => {
  const { call, createSignedIn } = await start({ signIn: { two_factor_policy: 'everybody' } })
  const { accessToken: token } = await createSignedIn()
  const { status, error } = await call(api.keywords.list, { token })
  expect([status, error.code, error.error]).toEqual([403, 'two_factor_required', message('two-factor-required')])
  expect((await call(api.profile.enableTwoFactor, { token })).status).toBe(200)
  expect((await call(api.system.config)).data.gate_requires_2fa).toBe(true)
})

test('the gate requires a verified address when configured', async () => {
  const { call, createSignedIn } = await start({ gateRequiresVerified: true })
  const { accessToken: token } = await createSignedIn({ isVerified: false })
  const { status, error } = await call(api.keywords.list, { token })
  expect([status, error.code, error.error]).toEqual([403, 'verification_required', message('verification-required')])
  expect((await call(api.system.config)).data.gate_requires_verified).toBe(true)
})

test('lets unverified users sign in when configured', async () => {
  const { call, createUser } = await start({ signinRequiresVerified: false })
  const { email, password } = await createUser({ isVerified: false })
  expect((await call(api.auth.signIn, { body: { email, password } })).data).toMatchObject({
    user: { is_verified: false },
  })
})

test('limits the uploads per user and hour', async () => {
  const started = await start({ rates: { uploadPerHour: 1 } })
  const [first, other] = [await started.createSignedIn(), await started.createSignedIn()]
  const call = { name: 'call.wav', content: makeDialogue() }
  expect((await upload(started, first.accessToken, call)).status).toBe(201)
  const refused = await upload(started, first.accessToken, call)
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect((await upload(started, other.accessToken, call)).status).toBe(201)
})
