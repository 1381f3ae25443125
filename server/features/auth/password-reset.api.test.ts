import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enableTwoFactor, mailsTo, newestMail, signIn } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const newPassword = 'Other-harvest8!'
const wrong = { code: 'wrong_code', error: 'Invalid or expired code' }

async function askForCode(email: string) {
  const asked = await server.call(api.auth.forgotPassword, { body: { email } })
  expect(asked.data.message).toBe('Password reset code sent to your email')
  return newestMail(server, email, 'Your password reset code')
}

/** Returns another code than this one. */
function otherCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}

test('resets by code, ends all sessions, and accepts the code once', async () => {
  const user = await server.createSignedIn()
  const { code, mode } = await askForCode(user.email)
  expect(mode).toBe(0o600)
  const checked = await server.call(api.auth.verifyResetCode, { body: { email: user.email, code } })
  expect(checked.data.message).toBe('Code verified successfully!')
  const body = { email: user.email, code, new_password: newPassword }
  const reset = await server.call(api.auth.resetPassword, { body })
  expect(reset.data.message).toBe('Password reset successfully! You can now log in with your new password.')
  expect((await server.call(api.profile.get, { token: user.accessToken })).status).toBe(401)
  expect((await server.call(api.auth.resetPassword, { body })).error).toMatchObject(wrong)
  await signIn(server, { email: user.email, password: newPassword })
  const subjects = (await mailsTo(server, user.email)).map(({ subject }) => subject)
  expect(subjects).toEqual(['Your password was changed'])
})

test('resets by link, once, and keeps two-factor enabled', async () => {
  const user = await server.createSignedIn()
  await enableTwoFactor(server, user.accessToken)
  const { token } = await askForCode(user.email)
  const body = { token, new_password: newPassword }
  expect((await server.call(api.auth.resetPassword, { body })).status).toBe(200)
  expect((await server.call(api.auth.resetPassword, { body })).error.code).toBe('wrong_code')
  const next = (await server.call(api.auth.signIn, { body: { email: user.email, password: newPassword } })).data
  expect(next).toMatchObject({ requires_2fa: true })
})

test('voids a code after five wrong tries', async () => {
  const { email } = await server.createUser()
  const { code } = await askForCode(email)
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = await server.call(api.auth.verifyResetCode, { body: { email, code: otherCode(code) } })
    expect(answer.error).toMatchObject(wrong)
  }
  expect((await server.call(api.auth.verifyResetCode, { body: { email, code } })).error).toMatchObject(wrong)
})

test('voids a code after ten minutes and removes its mail', async () => {
  const { email } = await server.createUser()
  const { code, token } = await askForCode(email)
  server.clock.advance(10 * 60_000 - 1000)
  expect((await server.call(api.auth.verifyResetCode, { body: { email, code } })).status).toBe(200)
  server.clock.advance(1000)
  expect((await server.call(api.auth.verifyResetCode, { body: { email, code } })).error).toMatchObject(wrong)
  const byLink = await server.call(api.auth.resetPassword, { body: { token, new_password: newPassword } })
  expect(byLink.error.code).toBe('wrong_code')
  await server.services.outbox.removeExpired()
  expect(await mailsTo(server, email)).toEqual([])
})

test('accepts the newest code alone', async () => {
  const { email } = await server.createUser()
  const first = await askForCode(email)
  const second = await askForCode(email)
  const oldLink = await server.call(api.auth.resetPassword, { body: { token: first.token, new_password: newPassword } })
  expect(oldLink.error.code).toBe('wrong_code')
  expect((await server.call(api.auth.verifyResetCode, { body: { email, code: second.code } })).status).toBe(200)
})

test('checks the new password first, which uses up no try', async () => {
  const { email } = await server.createUser()
  const { code } = await askForCode(email)
  for (let tries = 0; tries < 6; tries += 1) {
    const weak = await server.call(api.auth.resetPassword, { body: { email, code, new_password: 'weak' } })
    expect(weak.error.code).toBe('invalid_input')
    expect(weak.error.details).toContain('Password must be at least 8 characters long')
  }
  const body = { email, code, new_password: newPassword }
  expect((await server.call(api.auth.resetPassword, { body })).status).toBe(200)
})

test('sends nothing to a deactivated account', async () => {
  const { email } = await server.createUser({ isActive: false })
  await server.call(api.auth.forgotPassword, { body: { email } })
  expect(await mailsTo(server, email)).toEqual([])
})
