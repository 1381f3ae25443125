import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enableTwoFactor, mailsTo, newestMail, signIn, totp } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const sixMinutesMs = 6 * 60_000
const subjectsOf = async (email: string) => (await mailsTo(server, email)).map(({ subject }) => subject)

async function auditOf(email: string, action: string) {
  const { accessToken: token } = await server.createSignedIn({ role: 'admin' })
  return (await server.call(api.admin.audit, { query: { action, search: email }, token })).data.events
}

async function confirmPassword({ password, accessToken: token }: SignedInUser): Promise<string> {
  return (await server.call(api.profile.confirmPassword, { body: { password }, token })).data.access_token
}

/** Creates a user with two-factor enabled, long after the password was entered. */
async function createProtected() {
  const user = await server.createSignedIn()
  const { secret } = await enableTwoFactor(server, user.accessToken)
  server.clock.advance(sixMinutesMs)
  return { user, secret }
}

describe('a change of the second factor', () => {
  test('requires the password of the last five minutes, beside any code, unless it is the disabling', async () => {
    const { user, secret } = await createProtected()
    const plain = await server.createSignedIn()
    server.clock.advance(sixMinutesMs)
    const headers = { 'X-TOTP-Token': await totp(server, secret) }
    const answers = [
      await server.call(api.profile.enableTwoFactor, { token: plain.accessToken }),
      await server.call(api.profile.renewBackupCodes, { token: await refreshed(user), headers }),
    ]
    for (const { status, error } of answers) {
      expect([status, error.code, error.error]).toEqual([
        403,
        'password_confirmation_required',
        message('password-confirmation'),
      ])
    }
    const token = await confirmPassword(plain)
    expect((await server.call(api.profile.enableTwoFactor, { token })).status).toBe(200)
  })

  test('that disables it is confirmed by its code alone, however old the sign-in is', async () => {
    const { user, secret } = await createProtected()
    const token = await refreshed(user)
    const disable = (code?: string) =>
      server.call(api.profile.disableTwoFactor, { token, ...(code && { headers: { 'X-TOTP-Token': code } }) })
    expect((await disable()).error).toMatchObject({
      code: 'invalid_input',
      error: 'Please enter your authenticator code',
    })
    expect((await disable(await totp(server, secret, 20))).error.code).toBe('wrong_code')
    expect((await disable(await totp(server, secret))).data.user.two_factor_enabled).toBe(false)
  })

  test('is not allowed by a wrong password', async () => {
    const user = await server.createSignedIn()
    server.clock.advance(sixMinutesMs)
    const wrong = { body: { password: 'Wrong-moon7' }, token: user.accessToken }
    expect((await server.call(api.profile.confirmPassword, wrong)).error.code).toBe('wrong_password')
    expect((await server.call(api.profile.enableTwoFactor, { token: user.accessToken })).status).toBe(403)
  })

  test('ends other sessions, notifies the user by mail and is audited: enabling, new codes, disabling', async () => {
    const user = await server.createSignedIn()
    const { secret } = await enableTwoFactor(server, user.accessToken)
    expect(await subjectsOf(user.email)).toEqual(['Two-factor authentication was switched on'])

    const renewOther = await otherSession(user)
    const first = { 'X-TOTP-Token': await totp(server, secret, 1) }
    await server.call(api.profile.renewBackupCodes, { token: user.accessToken, headers: first })
    await newestMail(server, user.email, 'Your backup codes were replaced')
    expect((await server.call(api.profile.get, { token: renewOther })).status).toBe(401)

    server.clock.advance(60_000)
    const disableOther = await otherSession(user)
    const second = { 'X-TOTP-Token': await totp(server, secret) }
    await server.call(api.profile.disableTwoFactor, { token: user.accessToken, headers: second })
    await newestMail(server, user.email, 'Two-factor authentication was switched off')
    expect((await server.call(api.profile.get, { token: disableOther })).status).toBe(401)

    for (const action of ['enable', 'backup_codes', 'disable']) {
      expect(await auditOf(user.email, `two_factor.${action}`)).toMatchObject([{ outcome: 'success' }])
    }
  })

  test('right after registration needs the browser that verified the e-mail, and notifies the user as well', async () => {
    const user = await server.createSignedIn({ isVerified: false })
    await server.call(api.auth.resendVerification, { body: { email: user.email } })
    const { token } = await newestMail(server, user.email, 'Verify')
    const { cookies } = await server.call(api.auth.verifyEmail, { body: { token } })
    const body = { user_id: user.id }
    const { secret } = (await server.call(api.auth.setUpRegistrationTwoFactor, { body, cookies })).data
    const confirmed = { ...body, totp_token: await totp(server, secret) }
    expect((await server.call(api.auth.verifyRegistrationTwoFactor, { body: confirmed, cookies })).status).toBe(200)
    await newestMail(server, user.email, 'Two-factor authentication was switched on')
    expect((await server.call(api.profile.get, { token: user.accessToken })).status).toBe(401)
  })

  test('the link that verifies a changed address adds no factor to an account with a passkey', async () => {
    const user = await server.createUser({ isVerified: false })
    await server.services.users.update(user.id, { hasPasskey: true })
    await server.call(api.auth.resendVerification, { body: { email: user.email } })
    const { token } = await newestMail(server, user.email, 'Verify')
    const { data, cookies } = await server.call(api.auth.verifyEmail, { body: { token } })
    expect(data.requires_2fa_setup).toBe(false)
    const setup = await server.call(api.auth.setUpRegistrationTwoFactor, { body: { user_id: user.id }, cookies })
    expect(setup.error.code).toBe('two_factor_enabled')
  })
})

test.each([
  ['Persian', '۰۱۲۳۴۵۶۷۸۹'],
  ['Arabic-Indic', '٠١٢٣٤٥٦٧٨٩'],
])('codes in %s digits set a second factor up, and sign in', async (_, digits) => {
  const written = (code: string) => code.replaceAll(/\d/g, (digit) => digits.charAt(Number(digit)))
  const { email, password, accessToken: token } = await server.createSignedIn()
  const { secret } = (await server.call(api.profile.enableTwoFactor, { token })).data
  const body = { token: written(await totp(server, secret)) }
  expect((await server.call(api.profile.verifyTwoFactor, { token, body })).status).toBe(200)
  server.clock.advance(sixMinutesMs)
  const { user } = await signIn(server, { email, password, totp_token: written(await totp(server, secret)) })
  expect(user.email).toBe(email)
})

test('backup codes are kept sealed until the first right code, then as slow hashes; each works once', async () => {
  const user = await server.createSignedIn()
  const setup = (await server.call(api.profile.enableTwoFactor, { token: user.accessToken })).data
  const stored = () => server.services.users.get(user.id)
  const pending = JSON.stringify((await stored()).pendingTwoFactor)
  expect(setup.backup_codes.filter((code) => pending.includes(code))).toEqual([])
  const body = { token: await totp(server, setup.secret) }
  await server.call(api.profile.verifyTwoFactor, { token: user.accessToken, body })
  expect((await stored()).twoFactor?.backupHashes).toHaveLength(10)
  const code = { email: user.email, password: user.password, totp_token: setup.backup_codes[3] ?? '' }
  await signIn(server, code)
  expect((await server.call(api.auth.signIn, { body: code })).status).toBe(401)
})

test('150 set-ups of one user at once: few wait, the others get Retry-After, other users are not affected', async () => {
  const user = await server.createSignedIn()
  const other = await server.createSignedIn()
  const begin = (token: string) => server.call(api.profile.enableTwoFactor, { token })
  const flood = Array.from({ length: 150 }, () => begin(user.accessToken))
  const answers = await Promise.all([begin(other.accessToken), ...flood])
  expect(answers[0]?.status).toBe(200)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(75)
  for (const { headers, error } of refused) {
    expect([headers.get('Retry-After'), error.error]).toEqual(['5', message('too-many')])
  }
})

async function refreshed(user: SignedInUser): Promise<string> {
  const { access_token: accessToken, refresh_token: refreshToken } = (
    await server.call(api.auth.refresh, { body: { refresh_token: user.refreshToken } })
  ).data
  Object.assign(user, { accessToken, refreshToken })
  return accessToken
}

async function otherSession({ id }: SignedInUser): Promise<string> {
  const origin = { ip: '', userAgent: '', requestId: '' }
  return (await server.services.sessions.start({ userId: id, isRemembered: false, isBrowser: false, origin }))
    .accessToken
}
