import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { newestMail, signIn, totp } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { publicUrl: 'https://awaz.example.org' } })
})
afterAll(() => server.close())

const email = 'new.person@example.org'
const password = 'Harvest-moon7'

async function signUpAndVerify() {
  const body = { email, username: 'new.person', password, first_name: 'New', last_name: 'Person' }
  const signedUp = await server.call(api.auth.signUp, { body })
  expect(signedUp.status).toBe(201)
  expect(signedUp.data.user).toMatchObject({ email, role: 'user', is_verified: false, is_active: true })

  const early = (await server.call(api.auth.signIn, { body: { email, password } })).data
  expect(early).toEqual({
    requires_verification: true,
    user_id: signedUp.data.user.id,
    message: 'Please verify your email address before logging in',
  })

  const mail = await newestMail(server, email, 'Verify')
  expect(mail.mode).toBe(0o600)
  expect(mail.text).toContain(`https://awaz.example.org/verify-email?token=${mail.token}\n`)
  const verified = await server.call(api.auth.verifyEmail, { body: { token: mail.token } })
  expect(verified.data).toMatchObject({ requires_2fa_setup: true, user_id: signedUp.data.user.id })
  return { userId: signedUp.data.user.id, cookies: verified.cookies, linkToken: mail.token }
}

test('registers, verifies, sets up two-factor, signs in by code and backup code, rotates, and ends a reused family', async () => {
  const { userId, cookies, linkToken } = await signUpAndVerify()
  expect((await server.call(api.auth.verifyEmail, { body: { token: linkToken } })).status).toBe(400)
  await expect(newestMail(server, email, 'Verify')).rejects.toThrow('no mail')

  const withoutProof = await server.call(api.auth.setUpRegistrationTwoFactor, { body: { user_id: userId } })
  expect(withoutProof.error.code).toBe('registration_proof_missing')
  const setup = (await server.call(api.auth.setUpRegistrationTwoFactor, { body: { user_id: userId }, cookies })).data
  expect(setup.qr_code).toMatch(/^data:image\/png;base64,/)
  expect(setup.backup_codes).toHaveLength(10)
  expect(setup.backup_codes.every((code) => /^[A-Z0-9]{8}$/.test(code))).toBe(true)
  const confirm = (code: string) =>
    server.call(api.auth.verifyRegistrationTwoFactor, { body: { user_id: userId, totp_token: code }, cookies })
  expect((await confirm('000000')).error.code).toBe('wrong_code')
  expect((await confirm(await totp(server, setup.secret))).status).toBe(200)
  expect((await confirm(await totp(server, setup.secret))).error.code).toBe('two_factor_enabled')

  const needsCode = (await server.call(api.auth.signIn, { body: { email, password } })).data
  expect(needsCode).toEqual({ requires_2fa: true, user_id: userId, methods: ['code'] })
  server.clock.advance(30_000)
  const code = await totp(server, setup.secret)
  // As a Persian keyboard types it.
  const persian = code.replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'.charAt(Number(digit)))
  const first = await signIn(server, { email, password, totp_token: persian })
  expect(first.user.two_factor_enabled).toBe(true)
  const replayed = await server.call(api.auth.signIn, { body: { email, password, totp_token: code } })
  expect(replayed.error.code).toBe('sign_in_failed')

  const [backupCode = ''] = setup.backup_codes
  const second = await signIn(server, { email, password, totp_token: backupCode.toLowerCase() })
  const profile = (await server.call(api.profile.get, { token: second.access_token })).data
  expect(profile.backup_codes_left).toBe(9)
  const again = await server.call(api.auth.signIn, { body: { email, password, totp_token: backupCode } })
  expect(again.error.code).toBe('sign_in_failed')

  const rotated = (await server.call(api.auth.refresh, { body: { refresh_token: first.refresh_token } })).data
  expect(rotated.refresh_token).not.toBe(first.refresh_token)
  server.clock.advance(11_000)
  const reused = await server.call(api.auth.refresh, { body: { refresh_token: first.refresh_token } })
  expect(reused.error).toMatchObject({ code: 'session_expired', error: 'Token has expired' })
  expect((await server.call(api.auth.refresh, { body: { refresh_token: rotated.refresh_token } })).status).toBe(401)
  expect((await server.call(api.profile.get, { token: rotated.access_token })).status).toBe(401)

  const signedOut = await server.call(api.auth.signOut, { body: { refresh_token: second.refresh_token } })
  expect(signedOut.data.message).toBe('Logged out successfully')
  expect((await server.call(api.profile.get, { token: second.access_token })).error.code).toBe('session_expired')
  expect((await server.call(api.auth.refresh, { body: { refresh_token: second.refresh_token } })).status).toBe(401)
})

test('a verification link works for 24 hours and no longer', async () => {
  const verify = async (afterMs: number) => {
    const { email: address } = await server.createUser({ isVerified: false })
    await server.call(api.auth.resendVerification, { body: { email: address } })
    const { token } = await newestMail(server, address, 'Verify')
    server.clock.advance(afterMs)
    return (await server.call(api.auth.verifyEmail, { body: { token } })).status
  }
  const dayMs = 24 * 60 * 60_000
  expect([await verify(dayMs - 1000), await verify(dayMs)]).toEqual([200, 400])
})
