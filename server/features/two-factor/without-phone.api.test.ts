import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { tokenSeedMessage } from '#contract/token-seed.ts'
import { newestMail, signIn, totp } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

// Second factors for rooms without phones, over plain http: hardware tokens with their own seed, and printed lists.
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const base32 = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const hex = '3132333435363738393031323334353637383930'

/** Creates an unverified account and opens the link in its mail. Returns the user and the cookies of that browser. */
async function verifyAddress() {
  const user = await server.createUser({ isVerified: false })
  await server.call(api.auth.resendVerification, { body: { email: user.email } })
  const { token } = await newestMail(server, user.email, 'Verify')
  const { cookies } = await server.call(api.auth.verifyEmail, { body: { token } })
  return { user, cookies }
}

describe('a hardware token with a seed of its own', () => {
  test.each([base32, hex, hex.replace(/(..)/g, '$1 ').trim()])(
    'is enabled by the seed %s, and signs in',
    async (secret) => {
      const { email, password, accessToken: token } = await server.createSignedIn()
      const setup = (await server.call(api.profile.enableTwoFactor, { token, body: { secret } })).data
      expect(setup.secret).toBe(base32)
      expect(setup.backup_codes).toHaveLength(10)
      const body = { token: await totp(server, base32) }
      const { data } = await server.call(api.profile.verifyTwoFactor, { token, body })
      expect(data.user).toMatchObject({ two_factor_enabled: true, printed_codes_left: null })
      await signIn(server, { email, password, totp_token: await totp(server, base32, 1) })
    },
  )

  test('is enabled in the registration too', async () => {
    const { user, cookies } = await verifyAddress()
    const proof = { user_id: user.id }
    const begun = await server.call(api.auth.setUpRegistrationTwoFactor, { body: { ...proof, secret: hex }, cookies })
    expect(begun.data.secret).toBe(base32)
    const body = { ...proof, totp_token: await totp(server, base32) }
    expect((await server.call(api.auth.verifyRegistrationTwoFactor, { body, cookies })).status).toBe(200)
  })

  test.each(['', 'GEZDGNBVGY3TQOJQ', 'ABABABABABABABABABABABABABABABAB', 'no seed at all!'])(
    'is refused with the seed "%s"',
    async (secret) => {
      const { accessToken: token } = await server.createSignedIn()
      const { status, error } = await server.call(api.profile.enableTwoFactor, { token, body: { secret } })
      expect([status, error.code, error.fields]).toEqual([400, 'invalid_input', { secret: [tokenSeedMessage] }])
    },
  )
})

describe('a printed list', () => {
  const begin = async ({ accessToken: token }: SignedInUser) =>
    (await server.call(api.profile.enableTwoFactor, { token, body: { kind: 'printed_codes' } })).data
  const confirm = ({ accessToken: token }: SignedInUser, code: string) =>
    server.call(api.profile.verifyTwoFactor, { token, body: { token: code } })

  async function createOwner() {
    const user = await server.createSignedIn()
    const [first = '', ...codes] = (await begin(user)).backup_codes
    expect((await confirm(user, first)).status).toBe(200)
    return { user, first, codes }
  }

  test('does not sign in once another list took its place meanwhile', async () => {
    const { user, codes } = await createOwner()
    const { sessions, users } = server.services
    const { twoFactor } = await users.get(user.id)
    const start = sessions.start.bind(sessions)
    const spy = vi.spyOn(sessions, 'start').mockImplementationOnce(async (options) => {
      await users.update(user.id, { twoFactor: twoFactor && { ...twoFactor, backupSalt: `${twoFactor.backupSalt}0` } })
      return start(options)
    })
    onTestFinished(() => spy.mockRestore())
    const { email, password } = user
    const { error } = await server.call(api.auth.signIn, { body: { email, password, totp_token: codes[0] ?? '' } })
    expect(error.code).toBe('sign_in_failed')
  })

  test('has 20 codes and nothing to scan, and counts once one of them was typed', async () => {
    const user = await server.createSignedIn()
    const { backup_codes: codes, ...others } = await begin(user)
    expect([codes.length, new Set(codes).size]).toEqual([20, 20])
    expect(others).toEqual({ qr_code: '', secret: '', totp_uri: '' })
    const stored = async () => JSON.stringify(await server.services.users.get(user.id))
    const pending = await stored()
    expect(codes.filter((code) => pending.includes(code))).toEqual([])
    expect((await server.services.users.get(user.id)).twoFactor).toBeNull()

    const malformed = await confirm(user, '123456')
    expect([malformed.status, malformed.error.error]).toEqual([
      400,
      'Please enter an 8-character code from your printed list',
    ])
    expect((await confirm(user, 'AAAA2222')).error.code).toBe('wrong_code')
    const { data } = await confirm(user, codes[0]?.toLowerCase() ?? '')
    expect(data.user).toMatchObject({ two_factor_enabled: true, printed_codes_left: 19 })
    const enabled = await stored()
    expect(codes.filter((code) => enabled.includes(code))).toEqual([])
  })

  test('signs in, each code once, the first one never again, and tells how many are left', async () => {
    const { user, first, codes } = await createOwner()
    const { email, password } = user
    const asked = await server.call(api.auth.signIn, { body: { email, password } })
    expect(asked.data).toMatchObject({ requires_2fa: true, methods: ['code'] })
    expect((await signIn(server, { email, password, totp_token: codes[0] ?? '' })).user.printed_codes_left).toBe(18)
    for (const used of [first, codes[0] ?? '', '123456']) {
      expect((await server.call(api.auth.signIn, { body: { email, password, totp_token: used } })).status).toBe(401)
    }
    const { access_token: token } = await signIn(server, { email, password, totp_token: codes[1] ?? '' })
    const profile = (await server.call(api.profile.get, { token })).data
    expect(profile).toMatchObject({ backup_codes_left: 17, user: { printed_codes_left: 17 } })
  })

  test('is enabled in the registration too', async () => {
    const { user, cookies } = await verifyAddress()
    const proof = { user_id: user.id }
    const body = { ...proof, kind: 'printed_codes' as const }
    const codes = (await server.call(api.auth.setUpRegistrationTwoFactor, { body, cookies })).data.backup_codes
    const finish = (totp_token = '') =>
      server.call(api.auth.verifyRegistrationTwoFactor, { body: { ...proof, totp_token }, cookies })
    expect((await finish('123456')).error.code).toBe('invalid_input')
    expect((await finish(codes[5])).status).toBe(200)
    expect((await server.call(api.auth.signIn, { body: user })).data).toMatchObject({ requires_2fa: true })
  })

  test('is replaced by 20 new codes with one of its own, which voids the old', async () => {
    const { user, codes } = await createOwner()
    const { accessToken: token, email, password } = user
    const renew = (code: string) =>
      server.call(api.profile.renewBackupCodes, { token, headers: { 'X-TOTP-Token': code } })
    expect((await renew('123456')).error.code).toBe('invalid_input')
    const renewed = (await renew(codes[3] ?? '')).data.backup_codes
    expect(renewed).toHaveLength(20)
    const old = { email, password, totp_token: codes[4] ?? '' }
    expect((await server.call(api.auth.signIn, { body: old })).status).toBe(401)
    await signIn(server, { email, password, totp_token: renewed[0] ?? '' })
  })

  test('is disabled, and creates an API key, with a code of its own', async () => {
    const { user, codes } = await createOwner()
    const { accessToken: token } = user
    const expires_at = new Date(server.clock.now() + 24 * 60 * 60_000).toISOString()
    const body = { name: 'Script', scope: 'read' as const, expires_at }
    const createKey = (code: string) =>
      server.call(api.integrations.createKey, { token, body, headers: { 'X-TOTP-Token': code } })
    expect((await createKey(codes[0] ?? '')).status).toBe(201)
    const disable = (code: string) =>
      server.call(api.profile.disableTwoFactor, { token, headers: { 'X-TOTP-Token': code } })
    expect((await disable(codes[0] ?? '')).error.code).toBe('wrong_code')
    const { data } = await disable(codes[1] ?? '')
    expect(data.user).toMatchObject({ two_factor_enabled: false, printed_codes_left: null })
  })

  test('of two set-ups at once the later one counts', async () => {
    const user = await server.createSignedIn()
    const [early] = [await begin(user)]
    const late = await begin(user)
    expect((await confirm(user, early.backup_codes[0] ?? '')).error.code).toBe('wrong_code')
    expect((await confirm(user, late.backup_codes[0] ?? '')).status).toBe(200)
  })
})

test('a backup code beside an authenticator changes nothing: that takes the authenticator', async () => {
  const { accessToken: token } = await server.createSignedIn()
  const { secret, backup_codes } = (await server.call(api.profile.enableTwoFactor, { token })).data
  await server.call(api.profile.verifyTwoFactor, { token, body: { token: await totp(server, secret) } })
  const headers = { 'X-TOTP-Token': backup_codes[0] ?? '' }
  expect((await server.call(api.profile.disableTwoFactor, { token, headers })).error.code).toBe('invalid_input')
})
