import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { openOidcCallback, startSingleSignOn, type SingleSignOn } from '../testing/single-sign-on.ts'

let sso: SingleSignOn
beforeAll(async () => {
  sso = await startSingleSignOn()
})
afterAll(() => sso.close())
beforeEach(() => sso.configure({}))

async function auditOf(action: string, search = '') {
  const { data } = await sso.server.call(api.admin.audit, {
    token: await sso.adminToken(),
    query: { action, per_page: 100 },
  })
  return data.events.filter(({ actor, target }) => `${actor} ${target}`.includes(search))
}

test('a ticket works once, and only in its browser', async () => {
  const callback = await sso.signInAt('once')
  const elsewhere = await sso.finish({ ...callback, cookies: {} })
  expect(elsewhere.error.code).toBe('sso_denied')
  const [first, second] = await Promise.all([sso.finish(callback), sso.finish(callback)])
  expect([first.status, second.status].toSorted()).toEqual([200, 403])
  expect((await sso.finish(callback)).error.code).toBe('sso_denied')
})

test('a ticket and an attempt expire after ten minutes', async () => {
  const callback = await sso.signInAt('slow')
  const { redirectTo, cookies } = await sso.start()
  const address = await sso.oidc.signIn(redirectTo, 'slow')
  sso.server.clock.advance(10 * 60_000 + 1)
  expect((await sso.finish(callback)).error.code).toBe('sso_denied')
  expect((await openOidcCallback(sso.server, address, cookies)).error).toBe('expired')
})

test('a replayed state is refused', async () => {
  const { redirectTo, cookies } = await sso.start()
  const address = await sso.oidc.signIn(redirectTo, 'replayed')
  expect((await openOidcCallback(sso.server, address, cookies)).error).toBeNull()
  expect((await openOidcCallback(sso.server, address, cookies)).error).toBe('expired')
})

test('the state of another browser is refused, and still works in its own', async () => {
  const { redirectTo, cookies } = await sso.start()
  const address = await sso.oidc.signIn(redirectTo, 'victim')
  const other = await sso.start()
  expect((await openOidcCallback(sso.server, address, other.cookies)).error).toBe('expired')
  expect((await openOidcCallback(sso.server, address, {})).error).toBe('expired')
  expect((await openOidcCallback(sso.server, address, cookies)).error).toBeNull()
})

test('a response that names another issuer, or none, is refused before the code is used', async () => {
  for (const issuer of ['https://login.evil.example', undefined]) {
    const { redirectTo, cookies } = await sso.start()
    const address = await sso.oidc.signIn(redirectTo, 'mixed')
    if (issuer) address.searchParams.set('iss', issuer)
    else address.searchParams.delete('iss')
    const before = sso.oidc.requests.filter((path) => path === '/token').length
    expect((await openOidcCallback(sso.server, address, cookies)).error).toBe('failed')
    expect(sso.oidc.requests.filter((path) => path === '/token')).toHaveLength(before)
  }
})

test('the response of one provider is not taken for that of another', async () => {
  const body = { kind: 'oidc', name: 'Another', issuer: sso.oidc.issuer, client_id: 'other' } as const
  const other = await sso.server.call(api.signInAdmin.createProvider, { token: await sso.adminToken(), body })
  const { redirectTo, cookies } = await sso.start()
  const address = await sso.oidc.signIn(redirectTo, 'crossed')
  address.pathname = address.pathname.replace(sso.providerId, other.data.provider.id)
  expect((await openOidcCallback(sso.server, address, cookies)).error).toBe('expired')
  await sso.server.call(api.signInAdmin.deleteProvider, {
    token: await sso.adminToken(),
    params: { id: other.data.provider.id },
  })
})

test.each([
  ['a wrong nonce', (claims: object) => ({ ...claims, nonce: 'of-another-sign-in' })],
  ['an expired token', (claims: object) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 3600 })],
  ['another audience', (claims: object) => ({ ...claims, aud: 'another-application' })],
  ['another issuer in the token', (claims: object) => ({ ...claims, iss: 'https://login.evil.example' })],
])('%s is refused', async (_name, alter) => {
  sso.oidc.alterNextIdToken(alter)
  expect((await sso.signInAt('forged')).error).toBe('failed')
  expect((await auditOf('auth.signin'))[0]).toMatchObject({ outcome: 'failure', details: 'Test provider: failed' })
})

test('a token signed with a key that the provider does not publish is refused', async () => {
  sso.oidc.alterNextIdToken((claims) => claims, { withUnknownKey: true })
  expect((await sso.signInAt('forged')).error).toBe('failed')
})

test('a new key of the provider is taken at once', async () => {
  await sso.signIn('before')
  await sso.oidc.rotateKey()
  expect((await sso.signIn('after')).user.email).toBe('after@example.org')
})

test('who cancels at the provider comes back with a word for it', async () => {
  const { cookies, redirectTo } = await sso.start()
  const state = new URL(redirectTo).searchParams.get('state') ?? ''
  const address = new URL(`${sso.server.config.publicUrl}/api/auth/sso/oidc/${sso.providerId}/callback`)
  address.search = new URLSearchParams({ error: 'access_denied', state, iss: sso.oidc.issuer }).toString()
  expect((await openOidcCallback(sso.server, address, cookies)).error).toBe('denied')
})

test('a disabled provider is not offered, and nobody signs in through it', async () => {
  const callback = await sso.signInAt('late')
  const offered = { id: sso.providerId, kind: 'oidc', name: 'Test provider' }
  expect((await sso.server.call(api.system.config)).data.sign_in_providers).toContainEqual(offered)
  await sso.configure({ is_enabled: false })
  expect((await sso.server.call(api.system.config)).data.sign_in_providers).not.toContainEqual(offered)
  const started = await sso.server.call(api.sso.start, { params: { id: sso.providerId }, body: {} })
  expect(started.error.code).toBe('not_found')
  expect((await sso.finish(callback)).error.code).toBe('sso_denied')
})

test('the callback is never cached, sends no referrer and keeps its cookie to single sign-on', async () => {
  const { headers } = await sso.signInAt('headers')
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(headers.get('Referrer-Policy')).toBe('no-referrer')
  const set = headers.getSetCookie().find((line) => line.includes('Max-Age=600'))
  expect(set).toMatch(/^awaz_sso_[\w-]{8}=[\w-]{43}; Path=\/api\/auth\/sso; HttpOnly; SameSite=Lax; Max-Age=600$/)
})
