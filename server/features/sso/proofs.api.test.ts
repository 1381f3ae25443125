import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enableTwoFactor, totp } from '#testing/accounts.ts'
import { startSingleSignOn, type SingleSignOn } from './testing/single-sign-on.ts'

const dayMs = 24 * 60 * 60_000

let sso: SingleSignOn
beforeAll(async () => {
  sso = await startSingleSignOn({ server: { config: { signIn: { two_factor_policy: 'everybody' } } } })
})
afterAll(() => sso.close())
beforeEach(() => sso.configure({}))

/** Creates an account with a password for somebody who also has an account at the provider. */
async function createLocal(name: string) {
  const user = await sso.server.createSignedIn({ email: `${name}@example.org` })
  return { name, ...user }
}

test('an account of the same address is linked after its password, and afterwards without', async () => {
  const { name, id, email, password } = await createLocal('farid')
  const callback = await sso.signInAt(name)
  const asked = await sso.finish(callback)
  expect(asked.data).toEqual({
    requires_link: true,
    ticket: callback.ticket,
    email,
    provider_name: 'Test provider',
    requires_code: false,
  })
  const wrong = await sso.finish(callback, { password: 'Not-the-password1' })
  expect(wrong.error).toMatchObject({ code: 'wrong_password' })
  const linked = await sso.finish(callback, { password })
  expect(linked.data).toMatchObject({ user: { id, has_password: true } })
  expect((await sso.signIn(name)).user.id).toBe(id)
  expect((await sso.server.call(api.auth.signIn, { body: { email, password } })).status).toBe(200)
})

test('linking an account with two-factor asks for its code too', async () => {
  const { name, id, accessToken, password } = await createLocal('gul')
  const { secret } = await enableTwoFactor(sso.server, accessToken)
  const callback = await sso.signInAt(name)
  expect((await sso.finish(callback)).data).toMatchObject({ requires_link: true, requires_code: true })
  expect((await sso.finish(callback, { password })).data).toMatchObject({ requires_link: true })
  const wrong = await sso.finish(callback, { password, totp_token: '000000' })
  expect(wrong.error.code).toBe('wrong_code')
  const code = await totp(sso.server, secret, 1)
  expect((await sso.finish(callback, { password, totp_token: code })).data).toMatchObject({ user: { id } })
})

test('five wrong passwords lock the linking, not the account for everybody', async () => {
  const { name, email, password } = await createLocal('hamid')
  const callback = await sso.signInAt(name)
  for (let count = 0; count < 5; count += 1) await sso.finish(callback, { password: 'Not-the-password1' })
  const locked = await sso.finish(callback, { password })
  expect(locked.status).toBe(423)
  expect(locked.error.remaining_seconds).toBeGreaterThan(0)
  expect((await sso.server.call(api.auth.signIn, { body: { email, password } })).status).toBe(200)
})

test('a deactivated account says so only to who knows its password', async () => {
  const { name, id, password } = await createLocal('idris')
  await sso.server.services.users.update(id, { isActive: false })
  const callback = await sso.signInAt(name)
  expect((await sso.finish(callback)).data).toMatchObject({ requires_link: true })
  expect((await sso.finish(callback, { password })).error.code).toBe('account_deactivated')
  expect((await sso.signInAt(name)).error).toBeNull()
})

test('linking verifies the address, which the provider vouches for', async () => {
  const { id, password } = await sso.server.createUser({ email: 'jamal@example.org', isVerified: false })
  await sso.finish(await sso.signInAt('jamal'), { password })
  expect(await sso.server.services.users.findById(id)).toMatchObject({ isVerified: true })
})

test('an account of another provider is not taken over, and is once that provider is gone', async () => {
  const { user } = await sso.signIn('kamran')
  const body = { kind: 'oidc', name: 'Second', issuer: sso.oidc.issuer, client_id: 'second' } as const
  const token = await sso.adminToken()
  const second = (await sso.server.call(api.signInAdmin.createProvider, { token, body })).data.provider
  const { identities } = sso.server.services.sso
  await identities.removeByOwner(user.id)
  await identities.link({ providerId: second.id, subject: 'kamran-there', ownerId: user.id }, new Date())
  expect((await sso.signInAt('kamran')).error).toBe('not_allowed')
  await sso.server.call(api.signInAdmin.deleteProvider, { token, params: { id: second.id } })
  expect((await sso.signIn('kamran')).user.id).toBe(user.id)
})

/** Makes an account older than the grace period in which it works without a second factor. */
async function endGrace(id: string): Promise<void> {
  await sso.server.services.users.update(id, { createdAt: new Date(sso.server.clock.now() - 8 * dayMs) })
}

test('somebody whom a provider brought has a week for the second factor, in every session', async () => {
  const { user } = await sso.signIn('nargis')
  const due = new Date(Date.parse(user.created_at) + 7 * dayMs).toISOString()
  for (let sessions = 0; sessions < 2; sessions += 1) {
    const { access_token: token, user: again } = await sso.signIn('nargis')
    expect(again).toMatchObject({ two_factor_grace: true, two_factor_due: due })
    expect((await sso.server.call(api.keywords.list, { token })).status).toBe(200)
  }
  await endGrace(user.id)
  const { access_token: late } = await sso.signIn('nargis')
  expect((await sso.server.call(api.keywords.list, { token: late })).error.code).toBe('two_factor_required')
})

test('a second factor that the provider asked for counts here', async () => {
  sso.oidc.people.set('laila', { amr: ['pwd', 'otp', 'mfa'] })
  const { access_token: token, user } = await sso.signIn('laila')
  await endGrace(user.id)
  const shown = (await sso.server.call(api.profile.get, { token })).data.user
  for (const own of [user, shown]) expect(own).toMatchObject({ two_factor_grace: true, two_factor_due: null })
  expect((await sso.server.call(api.keywords.list, { token })).status).toBe(200)
})

test('without one, whoever has two-factor here is asked for the code, and others set it up', async () => {
  const first = await sso.signIn('mina')
  await endGrace(first.user.id)
  expect((await sso.server.call(api.keywords.list, { token: first.access_token })).error.code).toBe(
    'two_factor_required',
  )
  const { secret } = await enableTwoFactor(sso.server, first.access_token)

  const callback = await sso.signInAt('mina')
  const asked = await sso.finish(callback)
  expect(asked.data).toMatchObject({ requires_2fa: true, user_id: first.user.id, methods: ['code'] })
  expect((await sso.finish(callback, { totp_token: 'abc' })).error.code).toBe('invalid_input')
  expect((await sso.finish(callback, { totp_token: '000000' })).error.code).toBe('wrong_code')
  const code = await totp(sso.server, secret, 1)
  expect((await sso.finish(callback, { totp_token: code })).data).toMatchObject({ user: { id: first.user.id } })
})

test('wrong codes lock', async () => {
  const first = await sso.signIn('nasir')
  await enableTwoFactor(sso.server, first.access_token)
  const callback = await sso.signInAt('nasir')
  for (let count = 0; count < 5; count += 1) await sso.finish(callback, { totp_token: '000000' })
  expect((await sso.finish(callback, { totp_token: '000000' })).error.code).toBe('account_locked')
  const query = { action: 'auth.signin', search: first.user.email, per_page: 1 }
  const { data } = await sso.server.call(api.admin.audit, { token: await sso.adminToken(), query })
  expect(data.events).toMatchObject([{ outcome: 'denied', details: 'locked' }])
})

test('whoever has a passkey alone is not let in without it', async () => {
  const first = await sso.signIn('omid')
  await sso.server.services.users.update(first.user.id, { hasPasskey: true })
  const { data } = await sso.finish(await sso.signInAt('omid'))
  expect(data).toMatchObject({ requires_2fa: true, methods: ['passkey'] })
})

test('a provider that is set to replace two-factor is not asked for more', async () => {
  const first = await sso.signIn('parwin')
  await enableTwoFactor(sso.server, first.access_token)
  await sso.configure({ replaces_two_factor: true })
  const { access_token: token } = await sso.signIn('parwin')
  expect((await sso.server.call(api.keywords.list, { token })).status).toBe(200)
})

test('an account with a passkey alone is not linked by its password', async () => {
  const { name, id, password } = await createLocal('qais')
  await sso.server.services.users.update(id, { hasPasskey: true })
  const callback = await sso.signInAt(name)
  expect((await sso.finish(callback, { password: 'Not-the-password1' })).error.code).toBe('wrong_password')
  const { data } = await sso.finish(callback, { password })
  expect(data).toMatchObject({ requires_2fa: true, user_id: id, methods: ['passkey'] })
  expect(await sso.server.services.sso.identities.listByOwner(id)).toEqual([])
})

test('an address that changed since the provider proved it is not linked, nor verified', async () => {
  const { name, id, password } = await createLocal('rashid')
  const callback = await sso.signInAt(name)
  await sso.server.services.users.update(id, { email: 'somebody.else@example.org', isVerified: false })
  expect((await sso.finish(callback, { password })).error.code).toBe('sso_denied')
  expect(await sso.server.services.users.findById(id)).toMatchObject({ isVerified: false })
})

test('an address that an administrator changed must be verified, unless the provider vouches for it', async () => {
  const { user } = await sso.signIn('sabir')
  await sso.server.services.users.update(user.id, { email: 'sabir.new@example.org', isVerified: false })
  const denied = await sso.finish(await sso.signInAt('sabir'))
  expect(denied.error).toMatchObject({ code: 'sso_denied', error: expect.stringContaining('is not verified yet') })
  const query = { action: 'auth.signin', search: 'sabir.new@example.org', per_page: 1 }
  const { data } = await sso.server.call(api.admin.audit, { token: await sso.adminToken(), query })
  expect(data.events).toMatchObject([{ outcome: 'denied', details: 'unverified' }])
  sso.oidc.people.set('sabir', { email: 'Sabir.New@example.org' })
  expect((await sso.signIn('sabir')).user).toMatchObject({ id: user.id, is_verified: true })
})

test('what a provider proved is void once its settings changed', async () => {
  const callback = await sso.signInAt('tahir')
  sso.server.clock.advance(1)
  await sso.configure({ allowed_domains: ['example.com'] })
  expect((await sso.finish(callback)).error.code).toBe('sso_denied')
})

test('sessions end where the provider stands for the second factor no longer', async () => {
  await sso.configure({ replaces_two_factor: true })
  const { access_token: token } = await sso.signIn('umar')
  await sso.configure({ replaces_two_factor: true, scopes: 'openid email' })
  expect((await sso.server.call(api.keywords.list, { token })).status).toBe(200)
  await sso.configure({ replaces_two_factor: false })
  expect((await sso.server.call(api.keywords.list, { token })).status).toBe(401)
})
