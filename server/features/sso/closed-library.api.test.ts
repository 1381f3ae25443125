import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enablePrintedCodes, enableTwoFactor, totp } from '#testing/accounts.ts'
import { startSingleSignOn, type SingleSignOn } from './testing/single-sign-on.ts'

let sso: SingleSignOn
beforeAll(async () => {
  sso = await startSingleSignOn()
})
afterAll(() => sso.close())

async function close(id: string): Promise<void> {
  const { closedLibraries, users } = sso.server.services
  const origin = { ip: '', userAgent: '', requestId: '' }
  const options = { reason: 'two_factor' as const, actor: { email: 'a@example.org' }, origin }
  await closedLibraries.close(await users.get(id), options, (closure) => users.update(id, {}, closure))
}

test('a library that a reset of two-factor closed opens at a sign-in through the provider of before', async () => {
  const { user } = await sso.signIn('sabir')
  await close(user.id)
  const again = await sso.signIn('sabir')
  expect(again.user.library_closure).toBeNull()
  expect((await sso.server.call(api.recordings.list, { token: again.access_token })).status).toBe(200)
})

test.each([
  ['the address', { email: 'taken@example.org' }],
  ['the password', { hasPassword: true, passwordHash: '$2b$04$x' }],
])('it stays closed where %s was set meanwhile', async (_, change) => {
  const { user } = await sso.signIn('rashid')
  await close(user.id)
  const { users } = sso.server.services
  const before = await users.get(user.id)
  await users.update(user.id, change)
  const { access_token: token } = await sso.signIn('rashid')
  expect((await sso.server.call(api.recordings.list, { token })).error.code).toBe('library_closed')
  const body = { password: 'Harvest-moon7' }
  expect((await sso.server.call(api.profile.openLibrary, { body, token })).error.code).toBe('conflict')
  const { email, passwordHash, hasPassword = false } = before
  await users.update(user.id, { email, passwordHash, hasPassword, libraryClosure: null })
})

test('nobody links a provider to an account whose library is closed', async () => {
  const { id, email } = await sso.server.createUser({ email: 'nadia@example.org' })
  await close(id)
  sso.oidc.people.set('nadia', { email })
  expect((await sso.signInAt('nadia')).error).toBe('not_allowed')
  expect(await sso.server.services.sso.identities.listByOwner(id)).toEqual([])
})

test.each([
  ['opens', 'the same list'],
  ['stays closed', 'another list'],
  ['stays closed', 'an authenticator'],
])('a library whose owner had a printed list %s at a sign-in with %s', async (outcome, present) => {
  const { server, oidc } = sso
  const person = present.replaceAll(' ', '-')
  oidc.people.set(person, { email: `${person}@example.org` })
  const { user, access_token: token } = await sso.signIn(person)
  const codes = await enablePrintedCodes(server, token)
  await close(user.id)
  let code = codes[0] ?? ''
  if (present !== 'the same list') await server.services.users.update(user.id, { twoFactor: null })
  if (present === 'another list') code = (await enablePrintedCodes(server, token))[0] ?? ''
  if (present === 'an authenticator') code = await totp(server, (await enableTwoFactor(server, token)).secret, 1)
  const { data } = await sso.finish(await sso.signInAt(person), { totp_token: code })
  const closure = 'access_token' in data && data.user.library_closure
  expect(closure === null ? 'opens' : 'stays closed').toBe(outcome)
  expect(data).toHaveProperty('access_token')
})
