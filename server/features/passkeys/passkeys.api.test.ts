import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { mailsTo, signIn } from '#testing/accounts.ts'
import { createPasskey, excludedCredentials } from '#testing/authenticator.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { addPasskey, makePasskey, originOf, signInWithPasskey } from './testing/passkeys.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const sixMinutesMs = 6 * 60_000

async function otherSession(userId: string): Promise<string> {
  const origin = { ip: '', userAgent: '', requestId: '' }
  return (await server.services.sessions.start({ userId, isRemembered: false, isBrowser: false, origin })).accessToken
}

async function auditOf(email: string, action: string) {
  const { accessToken: token } = await server.createSignedIn({ role: 'admin' })
  return (await server.call(api.admin.audit, { query: { action, search: email }, token })).data.events
}

const subjectsTo = async (email: string) => (await mailsTo(server, email)).map(({ subject }) => subject)
const hasPasskey = async (token: string) => (await server.call(api.profile.get, { token })).data.user.has_passkey
const namesOf = async (token: string) =>
  (await server.call(api.passkeys.list, { token })).data.passkeys.map(({ name }) => name)

describe('adding a passkey', () => {
  test('lists it, ends the other sessions, notifies by mail and is audited', async () => {
    const user = await server.createSignedIn()
    const token = user.accessToken
    const other = await otherSession(user.id)
    expect((await server.call(api.passkeys.list, { token })).data.passkeys).toEqual([])
    const { passkey } = await addPasskey(server, user, 'Nadia’s phone')
    const listed = (await server.call(api.passkeys.list, { token })).data.passkeys
    expect(listed).toEqual([passkey])
    expect(passkey).toMatchObject({ name: 'Nadia’s phone', last_used_at: null, is_synced: false })
    expect(await hasPasskey(token)).toBe(true)
    expect((await server.call(api.profile.get, { token: other })).status).toBe(401)
    expect(await subjectsTo(user.email)).toEqual(['A passkey was added to your account'])
    expect(await auditOf(user.email, 'two_factor.passkey_added')).toMatchObject([
      { outcome: 'success', details: 'Nadia’s phone' },
    ])
  })

  test('sends no mail to somebody who switched security alerts off', async () => {
    const user = await server.createSignedIn()
    const body = { email: true, security_alerts: false }
    await server.call(api.profile.changeNotifications, { token: user.accessToken, body })
    await addPasskey(server, user)
    expect(await subjectsTo(user.email)).not.toContain('A passkey was added to your account')
  })

  test('asks for a key that signs in alone: discoverable, with the person verified, not beside one that is there', async () => {
    const user = await server.createSignedIn()
    const { key } = await addPasskey(server, user)
    const { options } = (await server.call(api.passkeys.begin, { token: user.accessToken })).data
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Awaz' },
      user: { id: Buffer.from(user.id).toString('base64url'), name: user.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(excludedCredentials(options)).toEqual([key.credentialId])
  })

  test('requires the password of the last five minutes', async () => {
    const user = await server.createSignedIn()
    server.clock.advance(sixMinutesMs)
    const answer = await server.call(api.passkeys.begin, { token: user.accessToken })
    expect(answer.error.code).toBe('password_confirmation_required')
  })

  test.each([
    ['of another site', { origin: 'https://evil.example.org' }],
    ['for another host', { rpId: 'evil.example.org' }],
    ['without a verified person', { isUserVerified: false }],
    ['that signed another challenge', { challenge: 'AAAA' }],
  ])('refuses one %s', async (_, settings) => {
    const user = await server.createSignedIn()
    const token = user.accessToken
    const { response } = await makePasskey(server, token, settings)
    const answer = await server.call(api.passkeys.add, { token, body: { name: 'Laptop', response } })
    expect(answer.error.code).toBe('invalid_input')
    expect(answer.error.error).toContain(originOf(server))
    expect(await namesOf(token)).toEqual([])
    expect(await hasPasskey(token)).toBe(false)
  })

  test('uses each challenge once, within five minutes, in the session that began', async () => {
    const user = await server.createSignedIn()
    const token = user.accessToken
    const send = (by: string, response: ReturnType<typeof createPasskey>['response']) =>
      server.call(api.passkeys.add, { token: by, body: { name: 'Laptop', response } })

    const first = await makePasskey(server, token)
    expect((await send(token, first.response)).status).toBe(201)
    const replayed = createPasskey(first.options, { origin: originOf(server) })
    expect((await send(token, replayed.response)).error.code).toBe('invalid_input')

    const other = await otherSession(user.id)
    const foreign = await makePasskey(server, other)
    expect((await send(token, foreign.response)).error.code).toBe('invalid_input')

    const late = await makePasskey(server, token)
    server.clock.advance(sixMinutesMs)
    expect((await send(token, late.response)).error.error).toBe('Adding the passkey took too long. Please try again.')
  })

  test('of two responses to one challenge at once takes one', async () => {
    const { accessToken: token } = await server.createSignedIn()
    const { options } = (await server.call(api.passkeys.begin, { token })).data
    const answers = await Promise.all(
      ['One', 'Two'].map((name) => {
        const { response } = createPasskey(options, { origin: originOf(server) })
        return server.call(api.passkeys.add, { token, body: { name, response } })
      }),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect(await namesOf(token)).toHaveLength(1)
  })

  test('refuses a passkey that is known already, whoever owns it', async () => {
    const owner = await server.createSignedIn()
    const { key } = await addPasskey(server, owner)
    const thief = await server.createSignedIn()
    const { options } = (await server.call(api.passkeys.begin, { token: thief.accessToken })).data
    const { response } = createPasskey(options, {
      origin: originOf(server),
      id: Buffer.from(key.credentialId, 'base64url'),
    })
    const answer = await server.call(api.passkeys.add, { token: thief.accessToken, body: { name: 'Mine', response } })
    expect(answer.error.code).toBe('conflict')
    expect(await hasPasskey(thief.accessToken)).toBe(false)
  })

  test('allows twenty', async () => {
    const user = await server.createSignedIn()
    for (let count = 1; count <= 20; count += 1) await addPasskey(server, user, `Key ${count}`)
    const answer = await server.call(api.passkeys.begin, { token: user.accessToken })
    expect([answer.error.code, answer.error.error]).toEqual([
      'conflict',
      'You have 20 passkeys. Please remove one that you no longer use.',
    ])
  })

  test('says where passkeys work when a page of another address asks', async () => {
    const { accessToken: token } = await server.createSignedIn()
    const headers = { Origin: 'http://192.0.2.7:5000' }
    const answers = [
      await server.call(api.passkeys.begin, { token, headers }),
      await server.call(api.passkeys.beginSignIn, { headers }),
    ]
    for (const { error } of answers) {
      expect(error.code).toBe('conflict')
      expect(error.error).toContain(`Passkeys work only at ${originOf(server)}`)
    }
  })
})

describe('a passkey of the list', () => {
  test('is renamed by its owner alone, which is audited', async () => {
    const user = await server.createSignedIn()
    const { passkey } = await addPasskey(server, user)
    const change = { params: { id: passkey.id }, body: { name: 'Desk' } }
    const stranger = await server.createSignedIn()
    const foreign = await server.call(api.passkeys.rename, { ...change, token: stranger.accessToken })
    expect(foreign.error.code).toBe('not_found')
    const renamed = await server.call(api.passkeys.rename, { ...change, token: user.accessToken })
    expect(renamed.data.passkey.name).toBe('Desk')
    expect(await namesOf(user.accessToken)).toEqual(['Desk'])
    expect(await auditOf(user.email, 'passkey.rename')).toMatchObject([{ outcome: 'success', details: 'Desk' }])
  })

  test('is removed by its owner alone, after the password; other sessions end and it no longer signs in', async () => {
    const user = await server.createSignedIn()
    const { passkey, key } = await addPasskey(server, user)
    const params = { id: passkey.id }
    const stranger = await server.createSignedIn()
    const foreign = await server.call(api.passkeys.remove, { params, token: stranger.accessToken })
    expect(foreign.error.code).toBe('not_found')
    server.clock.advance(sixMinutesMs)
    const late = await server.call(api.passkeys.remove, { params, token: user.accessToken })
    expect(late.error.code).toBe('password_confirmation_required')

    const confirmed = await server.call(api.profile.confirmPassword, {
      body: { password: user.password },
      token: user.accessToken,
    })
    const token = confirmed.data.access_token
    const other = await otherSession(user.id)
    expect((await server.call(api.passkeys.remove, { params, token })).data.message).toBe('Passkey removed')
    expect(await hasPasskey(token)).toBe(false)
    expect((await server.call(api.profile.get, { token: other })).status).toBe(401)
    expect(await subjectsTo(user.email)).toContain('A passkey was removed from your account')
    expect(await auditOf(user.email, 'two_factor.passkey_removed')).toMatchObject([{ details: 'Laptop' }])
    expect((await signInWithPasskey(server, key)).error.code).toBe('sign_in_failed')
  })

  test('is a second factor to the gate and to the password', async () => {
    const strict = await startTestServer({ config: { signIn: { two_factor_policy: 'everybody' } } })
    try {
      const user = await strict.createSignedIn()
      const token = user.accessToken
      expect((await strict.call(api.keywords.list, { token })).error.code).toBe('two_factor_required')
      await addPasskey(strict, user)
      expect((await strict.call(api.keywords.list, { token })).status).toBe(200)
      const { email, password } = user
      const answer = await strict.call(api.auth.signIn, { body: { email, password } })
      expect(answer.data).toEqual({ requires_2fa: true, user_id: user.id, methods: ['passkey'] })
      const wrong = await strict.call(api.auth.signIn, { body: { email, password, totp_token: '123456' } })
      expect(wrong.data).toEqual(answer.data)
    } finally {
      await strict.close()
    }
  })

  test('stays known as one while passkeys are added and removed at once', async () => {
    const user = await server.createSignedIn()
    const token = user.accessToken
    const { passkey } = await addPasskey(server, user)
    const { response } = await makePasskey(server, token)
    await Promise.all([
      server.call(api.passkeys.remove, { params: { id: passkey.id }, token }),
      server.call(api.passkeys.add, { token, body: { name: 'New', response } }),
    ])
    expect(await namesOf(token)).toEqual(['New'])
    expect(await hasPasskey(token)).toBe(true)
  })

  test('goes with the second factor that an administrator resets, and with the account', async () => {
    const user = await server.createSignedIn()
    const { key } = await addPasskey(server, user)
    const admin = await server.createSignedIn({ role: 'super_admin' })
    const params = { id: user.id }
    const reset = await server.call(api.admin.resetTwoFactor, {
      params,
      body: { reason: 'Lost the phone' },
      token: admin.accessToken,
    })
    expect(reset.status).toBe(200)
    expect((await signInWithPasskey(server, key)).error.code).toBe('sign_in_failed')
    const { access_token: accessToken } = await signIn(server, { email: user.email, password: user.password })
    const second = await addPasskey(server, { accessToken })
    await server.call(api.admin.deleteUser, { params, token: admin.accessToken })
    expect((await signInWithPasskey(server, second.key)).error.code).toBe('sign_in_failed')
    const removed = await server.createSignedIn()
    const { options } = (await server.call(api.passkeys.begin, { token: removed.accessToken })).data
    const id = Buffer.from(second.key.credentialId, 'base64url')
    const { response } = createPasskey(options, { origin: originOf(server), id })
    const again = await server.call(api.passkeys.add, { token: removed.accessToken, body: { name: 'Again', response } })
    expect(again.status).toBe(201)
  })
})
