import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enableTwoFactor, totp } from '#testing/accounts.ts'
import { signWithPasskey } from '#testing/authenticator.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { addPasskey, originOf, signInWithPasskey } from './testing/passkeys.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const sixMinutesMs = 6 * 60_000
const failedMessage = 'Signing in with this passkey did not work. Please try again, or sign in with your password.'

/** Creates a user with a passkey. */
async function createOwner(options: Parameters<TestServer['createUser']>[0] = {}) {
  const user = await server.createSignedIn(options)
  return { user, ...(await addPasskey(server, user)) }
}

async function signInsOf(email: string) {
  const { accessToken: token } = await server.createSignedIn({ role: 'admin' })
  const { events } = (await server.call(api.admin.audit, { query: { action: 'auth.signin', search: email }, token }))
    .data
  return events.map(({ outcome, details }) => [outcome, details])
}

describe('signing in with a passkey', () => {
  test('needs neither e-mail nor password nor code, and is fresh enough for what asks for the password', async () => {
    const { user, key, passkey } = await createOwner()
    const { secret } = await enableTwoFactor(server, user.accessToken)
    const answer = await signInWithPasskey(server, key, { isSynced: true })
    if (!('access_token' in answer.data)) throw new Error('Not signed in')
    const { access_token: token } = answer.data
    expect(answer.data.user).toMatchObject({ id: user.id, has_passkey: true })
    const [listed] = (await server.call(api.passkeys.list, { token })).data.passkeys
    expect(listed).toMatchObject({ id: passkey.id, is_synced: true })
    expect(listed?.last_used_at).not.toBeNull()
    expect((await server.call(api.passkeys.begin, { token })).status).toBe(200)
    expect(await signInsOf(user.email)).toEqual([['success', 'passkey']])
    // Codes continue to work alongside the passkey.
    server.clock.advance(60_000)
    const body = { email: user.email, password: user.password }
    expect((await server.call(api.auth.signIn, { body })).data).toMatchObject({ methods: ['code', 'passkey'] })
    const withCode = { ...body, totp_token: await totp(server, secret) }
    expect((await server.call(api.auth.signIn, { body: withCode })).data).toHaveProperty('access_token')
  })

  test('passes a gate that requires two-factor, until the passkey is gone', async () => {
    const strict = await startTestServer({ config: { signIn: { two_factor_policy: 'everybody' } } })
    try {
      const user = await strict.createSignedIn()
      const { key, passkey } = await addPasskey(strict, user)
      const answer = await signInWithPasskey(strict, key)
      if (!('access_token' in answer.data)) throw new Error('Not signed in')
      const { access_token: token } = answer.data
      expect((await strict.call(api.keywords.list, { token })).status).toBe(200)
      expect((await strict.call(api.passkeys.remove, { token, params: { id: passkey.id } })).status).toBe(200)
      expect((await strict.call(api.keywords.list, { token })).error.code).toBe('two_factor_required')
    } finally {
      await strict.close()
    }
  })

  test('remembers the device, which strangers’ wrong passwords then do not lock out', async () => {
    const { user, key } = await createOwner()
    const { cookies } = await signInWithPasskey(server, key)
    const [device = ''] = Object.keys(cookies).filter((name) => name.startsWith('awaz_device_'))
    expect(device).not.toBe('')
    const wrong = { body: { email: user.email, password: 'Wrong-moon7' } }
    for (let tries = 0; tries < 6; tries += 1) await server.call(api.auth.signIn, wrong)
    expect((await server.call(api.auth.signIn, wrong)).status).toBe(423)
    const body = { email: user.email, password: user.password }
    const known = { [device]: cookies[device] ?? '' }
    expect((await server.call(api.auth.signIn, { body, cookies: known })).data).toMatchObject({ requires_2fa: true })
    // The passkey also signs in to an account that strangers have locked.
    expect((await signInWithPasskey(server, key)).status).toBe(200)
  })

  test.each([
    ['of another site', { origin: 'https://evil.example.org' }, 'passkey_signature'],
    ['for another host', { rpId: 'evil.example.org' }, 'passkey_signature'],
    ['without a verified person', { isUserVerified: false }, 'passkey_signature'],
    ['of another challenge', { challenge: 'AAAA' }, 'passkey_signature'],
  ])('refuses a signature %s', async (_, settings, reason) => {
    const { user, key } = await createOwner()
    const answer = await signInWithPasskey(server, key, settings)
    expect([answer.status, answer.error.code, answer.error.error]).toEqual([401, 'sign_in_failed', failedMessage])
    expect(await signInsOf(user.email)).toEqual([['failure', reason]])
  })

  test('refuses one passkey’s signature for another’s id, and for another user', async () => {
    const { key } = await createOwner()
    const victim = await createOwner()
    const asVictim = { credentialId: victim.key.credentialId, userHandle: victim.key.userHandle }
    expect((await signInWithPasskey(server, key, asVictim)).error.error).toBe(failedMessage)
    const asUser = { userHandle: victim.key.userHandle }
    expect((await signInWithPasskey(server, key, asUser)).error.error).toBe(failedMessage)
    expect(await signInsOf(victim.user.email)).toEqual([['failure', 'passkey_signature']])
  })

  test('answers the same for a credential that nobody has, and for what is no assertion', async () => {
    const { key } = await createOwner()
    const unknown = await signInWithPasskey(server, key, { credentialId: 'bm9ib2R5' })
    const { challenge_id } = (await server.call(api.passkeys.beginSignIn)).data
    const response = { id: key.credentialId, type: 'public-key' as const }
    const malformed = await server.call(api.passkeys.signIn, { body: { challenge_id, response } })
    const wrong = await signInWithPasskey(server, key, { challenge: 'AAAA' })
    for (const { status, error } of [unknown, malformed, wrong]) {
      expect([status, error.code, error.error]).toEqual([401, 'sign_in_failed', failedMessage])
    }
  })

  test('uses each challenge once, within five minutes', async () => {
    const { user, key } = await createOwner()
    const origin = originOf(server)
    const { challenge_id, options } = (await server.call(api.passkeys.beginSignIn)).data
    const send = () =>
      server.call(api.passkeys.signIn, { body: { challenge_id, response: signWithPasskey(key, options, { origin }) } })
    expect((await send()).status).toBe(200)
    expect((await send()).error.code).toBe('sign_in_failed')

    const late = (await server.call(api.passkeys.beginSignIn)).data
    const response = signWithPasskey(key, late.options, { origin })
    server.clock.advance(sixMinutesMs)
    const body = { challenge_id: late.challenge_id, response }
    expect((await server.call(api.passkeys.signIn, { body })).error.code).toBe('sign_in_failed')
    expect((await signInsOf(user.email)).map(([, details]) => details)).toEqual([
      'passkey_challenge',
      'passkey_challenge',
      'passkey',
    ])
  })

  test('refuses a copy of the passkey, whose counter does not grow', async () => {
    const { user, key } = await createOwner()
    expect((await signInWithPasskey(server, key, { counter: 8 })).status).toBe(200)
    expect((await signInWithPasskey(server, key, { counter: 8 })).error.code).toBe('sign_in_failed')
    expect((await signInWithPasskey(server, key, { counter: 0 })).error.code).toBe('sign_in_failed')
    expect((await signInWithPasskey(server, key, { counter: 9 })).status).toBe(200)
    expect((await signInsOf(user.email)).filter(([, details]) => details === 'passkey_counter')).toHaveLength(2)
  })

  test('takes the counter 0 of authenticators that do not count', async () => {
    const { key } = await createOwner()
    for (const counter of [0, 0]) expect((await signInWithPasskey(server, key, { counter })).status).toBe(200)
  })
})

describe('the state of the account', () => {
  test('deactivated: says so, and starts no session', async () => {
    const { user, key } = await createOwner()
    await server.services.users.update(user.id, { isActive: false })
    const answer = await signInWithPasskey(server, key)
    expect([answer.status, answer.error.code]).toEqual([403, 'account_deactivated'])
    expect(await server.services.sessions.list(user.id)).toHaveLength(1)
    expect(await signInsOf(user.email)).toEqual([['denied', 'deactivated']])
  })

  test('with an unverified address: asks to verify it first', async () => {
    const { user, key } = await createOwner()
    await server.services.users.update(user.id, { isVerified: false })
    const { data, cookies } = await signInWithPasskey(server, key)
    expect(data).toEqual({
      requires_verification: true,
      user_id: user.id,
      message: 'Please verify your email address before logging in',
    })
    expect(cookies).toEqual({})
  })

  test('with a temporary password that has expired: asks for another one', async () => {
    const { user, key } = await createOwner({ mustChangePassword: true })
    server.clock.advance(8 * 24 * 60 * 60_000)
    const answer = await signInWithPasskey(server, key)
    expect([answer.status, answer.error.code]).toEqual([403, 'password_expired'])
    expect(await signInsOf(user.email)).toEqual([['denied', 'password_expired']])
  })
})

test('is limited like signing in with a password, by address', async () => {
  const limited = await startTestServer({ config: { rates: { signInPerMinute: 3 } } })
  try {
    const begin = () => limited.call(api.passkeys.beginSignIn)
    const { challenge_id } = (await begin()).data
    const response = { id: 'AAAA', type: 'public-key' as const }
    const finish = () => limited.call(api.passkeys.signIn, { body: { challenge_id, response } })
    const statuses: number[] = []
    for (let count = 0; count < 3; count += 1) statuses.push((await begin()).status)
    for (let count = 0; count < 4; count += 1) statuses.push((await finish()).status)
    expect(statuses).toEqual([200, 200, 429, 401, 401, 401, 429])
    const password = { body: { email: 'nobody@example.org', password: 'Harvest-moon7' } }
    expect((await limited.call(api.auth.signIn, password)).status).toBe(429)
  } finally {
    await limited.close()
  }
})
