import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { mailsTo, newestMail, signIn } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

// Users whose account was created by a provider: nobody knows its password.
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const newPassword = 'Other-harvest8!'

async function createSignedInWithoutPassword() {
  const user = await server.createSignedIn()
  await server.services.users.update(user.id, { hasPassword: false })
  return user
}

test('the hash of the account lets nobody sign in, not even with the password that has it', async () => {
  const { email, password } = await createSignedInWithoutPassword()
  const { status, error } = await server.call(api.auth.signIn, { body: { email, password } })
  expect([status, error.code, error.error]).toEqual([401, 'sign_in_failed', 'Invalid email or password'])
})

test('a password that is taken away during the sign-in ends it', async () => {
  const { id, email, password } = await server.createUser()
  const { sessions, users } = server.services
  const start = sessions.start
  sessions.start = async (options) => {
    await users.update(id, { hasPassword: false, passwordHash: 'another' })
    return start(options)
  }
  try {
    expect((await server.call(api.auth.signIn, { body: { email, password } })).error.code).toBe('sign_in_failed')
  } finally {
    sessions.start = start
  }
  expect(await sessions.list(id)).toEqual([])
})

test('forgot password mails where they sign in, and no code', async () => {
  const { email } = await createSignedInWithoutPassword()
  const answer = await server.call(api.auth.forgotPassword, { body: { email } })
  expect(answer.data.message).toBe('Password reset code sent to your email')
  const mails = await mailsTo(server, email)
  expect(mails.map(({ subject }) => subject)).toEqual(['Please sign in through your organisation'])
  expect(mails[0]).toMatchObject({ code: '', token: '' })
  expect(mails[0]?.text).toContain(`${server.config.publicUrl}/login`)
})

test('a reset code and a reset link from before give no password', async () => {
  const user = await server.createUser()
  await server.call(api.auth.forgotPassword, { body: { email: user.email } })
  const { code, token } = await newestMail(server, user.email, 'Your password reset code')
  await server.services.users.update(user.id, { hasPassword: false })
  const answers = [
    await server.call(api.auth.verifyResetCode, { body: { email: user.email, code } }),
    await server.call(api.auth.resetPassword, { body: { email: user.email, code, new_password: newPassword } }),
    await server.call(api.auth.resetPassword, { body: { token, new_password: newPassword } }),
  ]
  expect(answers.map(({ error }) => error.code)).toEqual(['wrong_code', 'wrong_code', 'wrong_code'])
  expect((await server.services.users.get(user.id)).hasPassword).toBe(false)
})

test('changing or confirming a password says that the organisation does that, and does not count as a failure', async () => {
  const { accessToken: token, password } = await createSignedInWithoutPassword()
  for (let tries = 0; tries < 6; tries += 1) {
    const change = await server.call(api.profile.changePassword, {
      token,
      body: { current_password: password, new_password: newPassword },
    })
    expect([change.status, change.error.code]).toEqual([409, 'conflict'])
    expect(change.error.error).toBe(message('password-elsewhere'))
    const confirm = await server.call(api.profile.confirmPassword, { token, body: { password } })
    expect([confirm.status, confirm.error.code]).toEqual([409, 'conflict'])
    expect(confirm.error.error).toBe(message('password-none'))
    expect(confirm.error.help).toContain('sign in again')
  }
})

test('a fresh sign-in stands for the password where it is asked for again', async () => {
  const { id, accessToken: token } = await createSignedInWithoutPassword()
  server.clock.advance(6 * 60_000)
  const late = await server.call(api.profile.enableTwoFactor, { token })
  expect(late.error).toMatchObject({ code: 'password_confirmation_required' })
  expect(late.error.help).toContain('sign in again')
  const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  const user = await server.services.users.get(id)
  const fresh = await server.services.sessions.start({ userId: user.id, isRemembered: false, isBrowser: false, origin })
  expect((await server.call(api.profile.enableTwoFactor, { token: fresh.accessToken })).status).toBe(200)
})

test('a super admin who sets a password gives them one', async () => {
  const user = await createSignedInWithoutPassword()
  const { accessToken: token } = await server.createSignedIn({ role: 'super_admin' })
  const params = { id: user.id }
  await server.call(api.superAdmin.resetPassword, { token, params, body: { new_password: newPassword } })
  const signedIn = await signIn(server, { email: user.email, password: newPassword })
  expect(signedIn.user).toMatchObject({ has_password: true, must_change_password: true })
})
