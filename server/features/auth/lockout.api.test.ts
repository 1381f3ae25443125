import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enableTwoFactor, signIn, totp } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  server.clock.stop()
})
afterAll(() => server.close())

function attempt(email: string, password: string, code?: string) {
  return server.call(api.auth.signIn, { body: { email, password, ...(code && { totp_token: code }) } })
}

async function failFiveTimes(email: string) {
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await attempt(email, 'Wrong-moon7')).error).toMatchObject({
      code: 'sign_in_failed',
      error: 'Invalid email or password',
    })
  }
}

test('locks after five failures, counts down, ends by itself, and then accepts the right password', async () => {
  const { email, password } = await server.createUser()
  await failFiveTimes(email)
  const locked = await attempt(email, password)
  expect(locked.status).toBe(423)
  expect(locked.error.remaining_seconds).toBe(120)
  expect(locked.headers.get('Retry-After')).toBe('120')
  expect(locked.error.error).toBe(
    'Account temporarily locked due to multiple failed attempts. Please try again in 2 minutes.',
  )
  server.clock.advance(30_000)
  expect((await attempt(email, password)).error.remaining_seconds).toBeLessThanOrEqual(90)
  server.clock.advance(45_000)
  expect((await attempt(email, password)).error.error).toMatch(/in 1 minute\.$/)
  server.clock.advance(45_000)
  expect((await attempt(email, password)).status).toBe(200)
})

test('doubles the lock up to 15 minutes', async () => {
  const { email, password } = await server.createUser()
  for (const seconds of [120, 240, 480, 900, 900]) {
    await failFiveTimes(email)
    expect((await attempt(email, password)).error.remaining_seconds).toBe(seconds)
    server.clock.advance(seconds * 1000)
  }
})

test('locks an address without an account in the same way', async () => {
  await failFiveTimes('nobody@example.org')
  expect((await attempt('NOBODY@example.org', 'Wrong-moon7')).error.remaining_seconds).toBe(120)
})

test('does not let simultaneous guesses outrun the count', async () => {
  const { email } = await server.createUser()
  const answers = await Promise.all(Array.from({ length: 30 }, () => attempt(email, 'Wrong-moon7')))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 423)).toHaveLength(25)
})

test('counts wrong codes, but not a right password that still needs one', async () => {
  const user = await server.createSignedIn()
  await enableTwoFactor(server, user.accessToken)
  for (let asks = 0; asks < 8; asks += 1) expect((await attempt(user.email, user.password)).status).toBe(200)
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await attempt(user.email, user.password, '000000')).error.error).toBe('Invalid email or password')
  }
  expect((await attempt(user.email, user.password)).status).toBe(423)
})

test('counts wrong passwords of a signed-in user and responds with 400', async () => {
  const user = await server.createSignedIn()
  const change = () =>
    server.call(api.profile.changePassword, {
      token: user.accessToken,
      body: { current_password: 'Wrong-moon7', new_password: 'Other-harvest8!' },
    })
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await change()).error).toMatchObject({ code: 'wrong_password', error: 'Current password is incorrect' })
  }
  expect((await change()).status).toBe(423)
  expect((await attempt(user.email, user.password)).status).toBe(200)
})

test('simultaneous wrong codes get at most five tries, and a right code works once', async () => {
  const user = await server.createSignedIn()
  const { secret } = await enableTwoFactor(server, user.accessToken)
  const guesses = Array.from({ length: 30 }, (_, n) => attempt(user.email, user.password, String(100_000 + n)))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 423)).toHaveLength(25)
  server.clock.advance(120_000)
  const code = await totp(server, secret)
  const twice = await Promise.all([1, 2, 3].map(() => attempt(user.email, user.password, code)))
  expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
})

describe('failures on unknown devices', () => {
  const deviceOf = (cookies: Record<string, string>) =>
    Object.fromEntries(Object.entries(cookies).filter(([name]) => name.startsWith('awaz_device_')))

  function attemptFrom(cookies: Record<string, string>, { email, password }: { email: string; password: string }) {
    return server.call(api.auth.signIn, { body: { email, password }, cookies })
  }

  test('do not lock out a device that signed in before, which has five tries of its own', async () => {
    const user = await server.createUser()
    const device = deviceOf((await signIn(server, user)).cookies)
    expect(Object.keys(device)).toHaveLength(1)
    await failFiveTimes(user.email)
    expect((await attempt(user.email, user.password)).status).toBe(423)
    expect((await attemptFrom(device, user)).status).toBe(200)
    expect((await attempt(user.email, user.password)).status).toBe(423)
    const wrong = { ...user, password: 'Wrong-moon7' }
    for (let tries = 0; tries < 5; tries += 1) expect((await attemptFrom(device, wrong)).status).toBe(401)
    expect((await attemptFrom(device, user)).error).toMatchObject({ code: 'account_locked', remaining_seconds: 120 })
    await server.services.lockouts.unlock(user.email)
    expect((await attemptFrom(device, user)).status).toBe(200)
  })

  test('count despite the cookie of another account, an invented one, or one from before a reset', async () => {
    const user = await server.createUser()
    const other = await server.createUser()
    const own = deviceOf((await signIn(server, user)).cookies)
    const foreign = deviceOf((await signIn(server, other)).cookies)
    const [name = ''] = Object.keys(own)
    await failFiveTimes(user.email)
    expect((await attemptFrom({ [name]: Object.values(foreign)[0] ?? '' }, user)).status).toBe(423)
    expect((await attemptFrom({ [name]: 'made-up' }, user)).status).toBe(423)
    const superAdmin = await server.createSignedIn({ role: 'super_admin' })
    const body = { new_password: 'Other-harvest8!' }
    await server.call(api.superAdmin.resetPassword, { params: { id: user.id }, body, token: superAdmin.accessToken })
    expect((await attemptFrom(own, { ...user, password: body.new_password })).status).toBe(423)
  })

  test('do not affect an open session', async () => {
    const user = await server.createSignedIn()
    await failFiveTimes(user.email)
    const body = { current_password: user.password, new_password: 'Other-harvest8!' }
    const changed = await server.call(api.profile.changePassword, { token: user.accessToken, body })
    expect(changed.status).toBe(200)
  })

  test('the device cookie is sent to sign-in alone, lasts half a year and differs each time', async () => {
    const user = await server.createUser()
    const headers = { Origin: 'http://localhost:5000' }
    const { email, password } = user
    const answer = await server.call(api.auth.signIn, { body: { email, password }, headers })
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('awaz_device_')) ?? ''
    expect(cookie).toMatch(
      /^awaz_device_[\w-]{16}=[\w-]{43}; Path=\/api\/auth; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
    )
    const second = deviceOf((await signIn(server, user)).cookies)
    expect(Object.values(second)).not.toEqual(Object.values(deviceOf(answer.cookies)))
  })
})

test('clears failures after a sign-in', async () => {
  const { email, password } = await server.createUser()
  for (let round = 0; round < 3; round += 1) {
    for (let tries = 0; tries < 4; tries += 1) await attempt(email, 'Wrong-moon7')
    expect((await signIn(server, { email, password })).user.email).toBe(email)
  }
})

test('an admin sees the lock and ends it', async () => {
  const admin = await server.createSignedIn({ role: 'admin' })
  const { id, email, password } = await server.createUser()
  await failFiveTimes(email)
  const seen = (await server.call(api.admin.getUser, { params: { id }, token: admin.accessToken })).data
  expect(seen.locked_seconds).toBe(120)
  expect(seen.recent_login_attempts).toHaveLength(5)
  expect(seen.recent_login_attempts[0]).toMatchObject({ success: false, failure_reason: 'wrong_password' })
  await server.call(api.admin.unlockUser, { params: { id }, token: admin.accessToken })
  expect((await attempt(email, password)).status).toBe(200)
})
