import { Attribute, Change } from 'ldapts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { LdapProviderInput } from '#contract/entities/sign-in-provider.ts'
import { enableTwoFactor, signIn as signInHere, totp } from '#testing/accounts.ts'
import { createDirectoryProviders, type DirectoryProviders } from '#testing/directory-provider.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { lacks } from '#testing/needs.ts'
import { baseDn, serviceAccount, startDirectory, type TestDirectory } from '#testing/slapd.ts'

type Provider = Awaited<ReturnType<DirectoryProviders['add']>>

let server: TestServer
let providers: DirectoryProviders

beforeAll(async () => {
  server = await startTestServer()
  providers = await createDirectoryProviders(server)
})
afterEach(() => providers.removeAll())
afterAll(() => server.close())

describe.skipIf(lacks('slapd', 'openssl'))('signing in with a directory', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = await startDirectory()
  })
  afterAll(() => directory.stop())

  const add = (overrides: Partial<LdapProviderInput> = {}) =>
    providers.add(directory.secureUrl, { ca: directory.ca, ...overrides })

  /** Returns the user who signed in; throws if sign-in requires another step. */
  async function userOf(answer: ReturnType<Provider['signIn']>) {
    const { data } = await answer
    if (!('access_token' in data)) throw new Error(JSON.stringify(data))
    return data.user
  }

  test('the first sign-in creates the account, the next ones find it', async () => {
    await directory.addPerson('anna', { firstName: 'Anna', lastName: 'Ärger', email: 'Anna@Example.org' })
    const { signIn, name } = await add()
    const first = await userOf(signIn('anna'))
    expect(first).toMatchObject({
      email: 'anna@example.org',
      first_name: 'Anna',
      last_name: 'Ärger',
      role: 'user',
      is_verified: true,
      has_password: false,
    })
    expect((await userOf(signIn('ANNA@example.org'))).id).toBe(first.id)
    expect(await providers.auditOf('anna@example.org')).toMatchObject([
      { outcome: 'success', details: name },
      { outcome: 'success', details: name },
    ])
  })

  test('groups give the role at each sign-in, and deny who is in none', async () => {
    const dn = await directory.addPerson('boris')
    const other = await directory.addPerson('bella')
    const leads = await directory.addGroup('Leads', [dn, other])
    const { signIn } = await add({
      group_roles: [
        { group: leads.toUpperCase(), role: 'admin' },
        { group: 'staff', role: 'user' },
      ],
      default_role: null,
    })
    expect(await userOf(signIn('boris'))).toMatchObject({ role: 'admin' })
    const removal = new Change({ operation: 'delete', modification: new Attribute({ type: 'member', values: [dn] }) })
    await directory.change((client) => client.modify(leads, removal))
    await directory.addGroup('Staff', [dn])
    expect(await userOf(signIn('boris'))).toMatchObject({ role: 'user' })
    await directory.change((client) => client.del(`cn=Staff,ou=groups,${baseDn}`))
    const denied = await signIn('boris')
    expect([denied.status, denied.error.code]).toEqual([403, 'sso_denied'])
    expect(denied.error.error).toContain('Your groups at')
  })

  test('who is denied loses the sessions that run', async () => {
    const dn = await directory.addPerson('cora')
    const group = await directory.addGroup('Cooks', [dn, serviceAccount.dn])
    const { signIn } = await add({ group_roles: [{ group, role: 'user' }], default_role: null })
    const { data } = await signIn('cora')
    if (!('access_token' in data)) throw new Error('not signed in')
    const removal = new Change({ operation: 'delete', modification: new Attribute({ type: 'member', values: [dn] }) })
    await directory.change((client) => client.modify(group, removal))
    expect((await signIn('cora')).error.code).toBe('sso_denied')
    expect((await server.call(api.profile.get, { token: data.access_token })).status).toBe(401)
  })

  test('who is removed from the directory, or gets another password there, is out', async () => {
    const dn = await directory.addPerson('dora')
    const { signIn } = await add()
    await userOf(signIn('dora'))
    const values = ['Other-harvest8!']
    const change = new Change({ operation: 'replace', modification: new Attribute({ type: 'userPassword', values }) })
    await directory.change((client) => client.modify(dn, change))
    expect((await signIn('dora')).error.code).toBe('sign_in_failed')
    await userOf(signIn('dora', 'Other-harvest8!'))
    await directory.change((client) => client.del(dn))
    expect((await signIn('dora', 'Other-harvest8!')).error.code).toBe('sign_in_failed')
  })

  test('a new entry with the address of somebody who left gets no account of theirs', async () => {
    const dn = await directory.addPerson('emil')
    const { signIn } = await add()
    await userOf(signIn('emil'))
    await directory.change((client) => client.del(dn))
    await directory.addPerson('emil')
    expect((await signIn('emil')).error.code).toBe('sso_denied')
  })

  test('an account deactivated here stays out', async () => {
    await directory.addPerson('fritz')
    const { signIn } = await add()
    const { id } = await userOf(signIn('fritz'))
    await server.services.users.update(id, { isActive: false })
    expect((await signIn('fritz')).error.code).toBe('account_deactivated')
  })

  test('the second factor of this server is asked for, unless the directory is trusted with it', async () => {
    await directory.addPerson('jan')
    const { signIn, change } = await add()
    const { data } = await signIn('jan')
    if (!('access_token' in data)) throw new Error('not signed in')
    const { secret } = await enableTwoFactor(server, data.access_token)
    const asked = await signIn('jan')
    if (!('requires_2fa' in asked.data)) throw new Error('no code was asked for')
    const { ticket } = asked.data
    const finish = async (cookies: Record<string, string>) =>
      server.call(api.sso.finish, { body: { ticket, totp_token: await totp(server, secret, 1) }, cookies })
    expect((await finish({})).error.code).toBe('sso_denied')
    expect((await finish(asked.cookies)).data).toMatchObject({ user: { email: 'jan@example.org' } })
    await change({ replaces_two_factor: true })
    expect((await signIn('jan')).data).toMatchObject({ user: { email: 'jan@example.org', two_factor_grace: true } })
  })

  test('a sign-in that needs nothing more leaves no ticket in the browser', async () => {
    await directory.addPerson('jutta')
    const { signIn } = await add()
    const { data, cookies } = await signIn('jutta')
    expect(data).toHaveProperty('access_token')
    expect(Object.keys(cookies).filter((name) => name.startsWith('awaz_sso_'))).toEqual([])
  })

  test('an account with the same address is linked when its password was entered', async () => {
    await directory.addPerson('kara', { password: 'Directory-moon7' })
    const own = await server.createUser({ email: 'kara@example.org' })
    const { signIn, name } = await add()
    const asked = await signIn('kara', 'Directory-moon7')
    if (!('requires_link' in asked.data)) throw new Error('no link was asked for')
    expect(asked.data).toMatchObject({ email: own.email, provider_name: name, requires_code: false })
    const { ticket } = asked.data
    const finish = (given: string) =>
      server.call(api.sso.finish, { body: { ticket, password: given }, cookies: asked.cookies })
    expect((await finish('Directory-moon7')).error.code).toBe('wrong_password')
    expect((await finish(own.password)).data).toMatchObject({ user: { id: own.id, has_password: true } })
    expect((await userOf(signIn('kara', 'Directory-moon7'))).id).toBe(own.id)
    expect((await signInHere(server, own)).user.id).toBe(own.id)
  })
})
