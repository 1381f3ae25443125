import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { signIn } from '#testing/accounts.ts'
import { startOidcProvider } from '#testing/oidc-provider.ts'
import { inputOf, startSingleSignOn, type SingleSignOn } from './testing/single-sign-on.ts'

const secret = 'a-secret-that-is-never-shown'
const directory = {
  kind: 'ldap',
  name: 'Directory',
  url: 'ldaps://127.0.0.1:9',
  bind_dn: 'cn=search,dc=example,dc=org',
  bind_password: secret,
  base_dn: 'dc=example,dc=org',
  timeout_seconds: 1,
} as const
const openid = {
  kind: 'oidc',
  name: 'Keycloak',
  issuer: 'https://login.example.org/realms/a',
  client_id: 'awaz',
} as const

let sso: SingleSignOn
beforeAll(async () => {
  sso = await startSingleSignOn()
})
afterAll(() => sso.close())

const { createProvider, updateProvider, deleteProvider, testProvider, listProviders } = api.signInAdmin

async function create(body: BodyInput<typeof createProvider>) {
  return sso.server.call(createProvider, { token: await sso.adminToken(), body })
}

async function auditOf(action: string) {
  const { data } = await sso.server.call(api.admin.audit, { token: await sso.adminToken(), query: { action } })
  return data.events
}

test('a provider is stored with its secret sealed, listed without it, and audited', async () => {
  const created = await create({ ...openid, client_secret: secret, group_roles: [{ group: 'it', role: 'admin' }] })
  expect(created.status).toBe(201)
  const { provider } = created.data
  expect(provider).toMatchObject({
    kind: 'oidc',
    has_secret: true,
    users: 0,
    callback_url: `${sso.server.config.publicUrl}/api/auth/sso/oidc/${provider.id}/callback`,
    second_factor_values: ['mfa'],
  })
  const listed = await sso.server.call(listProviders, { token: await sso.adminToken() })
  expect(listed.data.providers.map(({ name }) => name)).toEqual(['Test provider', 'Keycloak'])
  const { connection } = sso.server.services.database
  const stored = JSON.stringify(await connection.collection('sign_in_providers').find().toArray())
  for (const text of [
    stored,
    JSON.stringify(listed.raw),
    JSON.stringify(created.raw),
    sso.server.logLines.join('\n'),
  ]) {
    expect(text).not.toContain(secret)
  }
  expect((await auditOf('admin.provider_create'))[0]).toMatchObject({ target: 'Keycloak', details: 'oidc, on' })
})

test('two providers of one name are refused, in any case', async () => {
  await create({ ...openid, name: 'Entra ID' })
  expect((await create({ ...openid, name: 'ENTRA ID' })).error).toMatchObject({ code: 'conflict' })
  const other = (await create({ ...openid, name: 'Other' })).data.provider
  const token = await sso.adminToken()
  const renamed = await sso.server.call(updateProvider, {
    token,
    params: { id: other.id },
    body: { ...openid, name: 'entra id' },
  })
  expect(renamed.error.code).toBe('conflict')
  await sso.server.call(deleteProvider, { token, params: { id: other.id } })
})

test('passwords and tokens never travel in the clear', async () => {
  const inClear = [
    { ...openid, name: 'A', issuer: 'http://login.example.org' },
    { ...openid, name: 'B', issuer: 'http://8.8.8.8' },
    { ...directory, name: 'C', url: 'ldap://dc.example.org' },
  ]
  for (const body of inClear) expect((await create(body)).error.code).toBe('invalid_input')
  const inPrivate = await create({ ...openid, name: 'Containers', issuer: 'http://10.1.2.3:8080' })
  expect(inPrivate.status).toBe(201)
})

test('a secret that is left out stays, and is asked for again where it would go to another address', async () => {
  const token = await sso.adminToken()
  const { provider } = (await create({ ...openid, name: 'Moving', client_secret: secret })).data
  const params = { id: provider.id }
  const renamed = await sso.server.call(updateProvider, { token, params, body: { ...openid, name: 'Moved' } })
  expect(renamed.data.provider).toMatchObject({ name: 'Moved', has_secret: true })
  expect((await auditOf('admin.provider_update'))[0]).toMatchObject({ details: 'oidc, on; changed: name' })
  const elsewhere = { ...openid, name: 'Moved', issuer: 'https://login.evil.example' }
  const refused = await sso.server.call(updateProvider, { token, params, body: elsewhere })
  expect(refused.error.fields).toHaveProperty('client_secret')
  const withSecret = { ...elsewhere, client_secret: 'another' }
  expect((await sso.server.call(updateProvider, { token, params, body: withSecret })).status).toBe(200)
  expect((await auditOf('admin.provider_update'))[0]).toMatchObject({ details: 'oidc, on; changed: issuer, secret' })
  const without = await sso.server.call(updateProvider, { token, params, body: { ...elsewhere, client_secret: '' } })
  expect(without.data.provider.has_secret).toBe(false)
})

test('the password of a directory is asked for again where address, account or authority change', async () => {
  const token = await sso.adminToken()
  const { provider } = (await create(directory)).data
  const params = { id: provider.id }
  const { bind_password: _password, ...without } = directory
  for (const change of [{ url: 'ldaps://evil.example' }, { bind_dn: 'cn=other' }, { ca: 'of somebody else' }]) {
    const refused = await sso.server.call(updateProvider, { token, params, body: { ...without, ...change } })
    expect(refused.error.fields).toHaveProperty('bind_password')
  }
  const changed = await sso.server.call(updateProvider, { token, params, body: { ...without, base_dn: 'o=example' } })
  expect(changed.data.provider.has_secret).toBe(true)
  const otherKind = await sso.server.call(updateProvider, { token, params, body: { ...openid, name: 'Directory' } })
  expect(otherKind.error.code).toBe('invalid_input')
})

test('testing tells whether a provider works, and why it does not', async () => {
  const token = await sso.adminToken()
  const working = await sso.server.call(testProvider, { token, params: { id: sso.providerId }, body: {} })
  expect(working.data.is_working).toBe(true)
  expect(working.data.details.join(' ')).toContain(sso.oidc.issuer)

  const gone = await startOidcProvider()
  const { provider } = (await create({ ...inputOf(gone), name: 'Gone' })).data
  await gone.close()
  const down = await sso.server.call(testProvider, { token, params: { id: provider.id }, body: {} })
  expect(down.data).toMatchObject({ is_working: false, details: [expect.stringContaining('cannot be reached')] })
  const start = await sso.server.call(api.sso.start, { params: { id: provider.id }, body: {} })
  expect(start.error.code).toBe('provider_unavailable')
  const logout = await sso.server.call(api.sso.backChannelLogout, {
    params: { id: provider.id },
    rawBody: new TextEncoder().encode('logout_token=a.b.c'),
  })
  expect(logout.error.code).toBe('provider_unavailable')

  const ldap = (await create({ ...directory, name: 'Closed port' })).data.provider
  const closed = await sso.server.call(testProvider, { token, params: { id: ldap.id }, body: {} })
  expect(closed.data.is_working).toBe(false)
  expect(closed.data.details.join(' ')).not.toContain(secret)
  expect(await auditOf('admin.provider_test')).toHaveLength(3)
})

test('a provider that goes down keeps people with passwords in', async () => {
  const oidc = await startOidcProvider()
  const { provider } = (await create({ ...inputOf(oidc), name: 'Fragile' })).data
  const params = { id: provider.id }
  const started = await sso.server.call(api.sso.start, { params, body: {} })
  expect(started.status).toBe(200)
  await oidc.close()
  const { email, password } = await sso.server.createUser()
  expect(await signIn(sso.server, { email, password })).toHaveProperty('access_token')
})

test('removing a provider removes its links and ends the sessions that began there', async () => {
  const { user, access_token: token } = await sso.signIn('nadia')
  const adminToken = await sso.adminToken()
  const params = { id: sso.providerId }
  const listed = await sso.server.call(listProviders, { token: adminToken })
  expect(listed.data.providers.find(({ id }) => id === sso.providerId)?.users).toBe(1)
  const pending = await sso.signInAt('omar')
  expect((await sso.server.call(deleteProvider, { token: adminToken, params })).status).toBe(200)
  expect((await sso.server.call(api.profile.get, { token })).status).toBe(401)
  expect((await sso.finish(pending)).error.code).toBe('sso_denied')
  const details = await sso.server.call(api.admin.getUser, { token: adminToken, params: { id: user.id } })
  expect(details.data.providers).toEqual([])
  expect((await sso.server.call(deleteProvider, { token: adminToken, params })).error.code).toBe('not_found')
  expect((await sso.server.call(testProvider, { token: adminToken, params, body: {} })).error.code).toBe('not_found')
  const changed = await sso.server.call(updateProvider, { token: adminToken, params, body: openid })
  expect(changed.error.code).toBe('not_found')
  expect((await auditOf('admin.provider_delete'))[0]).toMatchObject({ target: 'Test provider' })
})
