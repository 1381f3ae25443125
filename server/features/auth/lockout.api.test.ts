import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enableTwoFactor, signIn } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
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

test('locks after five failures, counts down, ends by itself, and then takes the right password', async () => {
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
  server.clock.advance(90_000)
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

test('counts wrong codes, and no right password that still needs one', async () => {
  const user = await server.createSignedIn()
  await enableTwoFactor(server, user.accessToken)
  for (let asks = 0; asks < 8; asks += 1) expect((await attempt(user.email, user.password)).status).toBe(200)
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await attempt(user.email, user.password, '000000')).error.error).toBe('Invalid authentication code')
  }
  expect((await attempt(user.email, user.password)).status).toBe(423)
})

test('counts wrong passwords of a signed-in user and answers them with 400', async () => {
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
  expect((await attempt(user.email, user.password)).status).toBe(423)
})

test('forgets failures after a sign-in', async () => {
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
