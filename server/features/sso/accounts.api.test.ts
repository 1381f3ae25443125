import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startSingleSignOn, type SingleSignOn } from './testing/single-sign-on.ts'

let sso: SingleSignOn
beforeAll(async () => {
  sso = await startSingleSignOn()
})
afterAll(() => sso.close())
beforeEach(() => sso.configure({}))

function profileOf(token: string) {
  return sso.server.call(api.profile.get, { token })
}

async function auditOf(action: string, search = '') {
  const { data } = await sso.server.call(api.admin.audit, {
    token: await sso.adminToken(),
    query: { action, per_page: 100 },
  })
  return data.events.filter(({ actor, target }) => `${actor} ${target}`.includes(search))
}

test('somebody new signs in at the provider and has a verified account without a password', async () => {
  sso.oidc.people.set('nadia', { email: 'Nadia.K@Example.org', given_name: 'Nadia\u200b', family_name: 'Khan' })
  const { user } = await sso.signIn('nadia')
  expect(user).toMatchObject({
    email: 'nadia.k@example.org',
    username: 'nadia.k',
    first_name: 'Nadia',
    last_name: 'Khan',
    role: 'user',
    is_verified: true,
    has_password: false,
  })
  const again = await sso.signIn('nadia')
  expect(again.user.id).toBe(user.id)
  const details = await sso.server.call(api.admin.getUser, { token: await sso.adminToken(), params: { id: user.id } })
  expect(details.data.providers).toEqual(['Test provider'])
  expect(await auditOf('auth.sso_create', user.email)).toHaveLength(1)
  expect(await auditOf('auth.sso_link', user.email)).toHaveLength(1)
})

test('two browsers of somebody new at once end in one account', async () => {
  const callbacks = await Promise.all(['twin', 'twin', 'twin'].map((name) => sso.signInAt(name)))
  const finished = await Promise.all(callbacks.map((callback) => sso.finish(callback)))
  const ids = finished.map(({ data }) => ('user' in data ? data.user.id : 'none'))
  expect(new Set(ids).size).toBe(1)
})

test('the strongest role of the groups is given, and follows them at each sign-in', async () => {
  const group_roles = [
    { group: 'staff', role: 'user' as const },
    { group: 'it', role: 'admin' as const },
  ]
  await sso.configure({ group_roles, default_role: null })
  sso.oidc.people.set('omar', { groups: ['staff', 'it'] })
  const asAdmin = await sso.signIn('omar')
  expect(asAdmin.user.role).toBe('admin')
  sso.oidc.people.set('omar', { groups: ['staff'] })
  const asUser = await sso.signIn('omar')
  expect(asUser.user.role).toBe('user')
  expect((await profileOf(asAdmin.access_token)).status).toBe(401)
  expect((await profileOf(asUser.access_token)).status).toBe(200)
  expect((await auditOf('auth.sso_role', asUser.user.email))[0]).toMatchObject({
    outcome: 'success',
    details: 'admin to user by Test provider',
  })
})

test('somebody who is in no group any more is kept out, and their sessions end', async () => {
  await sso.configure({ group_roles: [{ group: 'staff', role: 'user' }], default_role: null })
  sso.oidc.people.set('leaver', { groups: ['staff'] })
  const { access_token: token } = await sso.signIn('leaver')
  sso.oidc.people.set('leaver', { groups: [] })
  expect(await sso.signInAt('leaver')).toMatchObject({ error: 'not_allowed', ticket: '' })
  expect((await profileOf(token)).status).toBe(401)
})

test('the last active super admin stays one whatever the groups say', async () => {
  sso.oidc.people.set('chief', { groups: ['chiefs'] })
  await sso.configure({ group_roles: [{ group: 'chiefs', role: 'super_admin' }] })
  const chief = await sso.signIn('chief')
  await sso.server.services.users.update(sso.admin.id, { role: 'user' })
  const [first] = (
    await sso.server.services.users.list({ search: '', role: 'super_admin' }, { page: 1, per_page: 10 })
  ).rows.filter(({ id }) => id !== chief.user.id)
  if (first) await sso.server.services.users.update(first.id, { isActive: false })
  sso.oidc.people.set('chief', { groups: [] })
  const { user } = await sso.signIn('chief')
  await sso.server.services.users.update(sso.admin.id, { role: 'super_admin' })
  expect(user.role).toBe('super_admin')
  expect((await auditOf('auth.sso_role', user.email))[0]?.outcome).toBe('denied')
  expect((await sso.signIn('chief')).user.role).toBe('user')
})

test.each([
  ['an unverified address', { email_verified: false }, {}],
  ['no address', { email: '' }, {}],
  ['an address of another domain', { email: 'x@other.example' }, { allowed_domains: ['example.org'] }],
  ['no account, where none is created', {}, { creates_users: false }],
])('%s is not allowed in', async (name, person, settings) => {
  const username = name.replaceAll(/\W/g, '')
  sso.oidc.people.set(username, person)
  await sso.configure(settings)
  expect((await sso.signInAt(username)).error).toBe('not_allowed')
  expect(await sso.server.services.users.findByEmail(`${username}@example.org`)).toBeUndefined()
})

test('addresses count without their verification where the provider is trusted with them', async () => {
  sso.oidc.people.set('trusted', { email_verified: false })
  await sso.configure({ trusts_email: true })
  expect((await sso.signIn('trusted')).user.is_verified).toBe(true)
})

test('a deactivated account stays out', async () => {
  const { user } = await sso.signIn('sleeper')
  const callback = await sso.signInAt('sleeper')
  await sso.server.services.users.update(user.id, { isActive: false })
  expect((await sso.finish(callback)).error.code).toBe('account_deactivated')
  expect((await sso.signInAt('sleeper')).error).toBe('deactivated')
})

test('deleting a user removes the link, so that the next sign-in makes another account', async () => {
  const { user } = await sso.signIn('deleted')
  await sso.server.call(api.admin.deleteUser, { token: await sso.adminToken(), params: { id: user.id } })
  const again = await sso.signIn('deleted')
  expect(again.user.id).not.toBe(user.id)
})

test('somebody whose account was deleted while they signed in is linked to the next one', async () => {
  const { identities } = sso.server.services.sso
  const { user } = await sso.signIn('returning')
  await sso.server.services.users.remove(user.id)
  const again = await sso.signIn('returning')
  expect(again.user.id).not.toBe(user.id)
  expect(await identities.listByOwner(user.id)).toEqual([])
  expect(await identities.listByOwner(again.user.id)).toHaveLength(1)
})
