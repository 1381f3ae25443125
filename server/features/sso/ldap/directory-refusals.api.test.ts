import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { OidcProviderInput, type LdapProviderInput } from '#contract/entities/sign-in-provider.ts'
import { signIn as signInHere } from '#testing/accounts.ts'
import { createDirectoryProviders, type DirectoryProviders } from '#testing/directory-provider.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { lacks } from '#testing/needs.ts'
import { baseDn, serviceAccount, startDirectory, type TestDirectory } from '#testing/slapd.ts'

const password = 'Harvest-moon7'
let server: TestServer
let providers: DirectoryProviders

beforeAll(async () => {
  server = await startTestServer()
  providers = await createDirectoryProviders(server)
})
afterEach(() => providers.removeAll())
afterAll(() => server.close())

describe.skipIf(lacks('slapd', 'openssl'))('a directory', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = await startDirectory()
  })
  afterAll(() => directory.stop())

  const add = (overrides: Partial<LdapProviderInput> = {}) =>
    providers.add(directory.secureUrl, { ca: directory.ca, ...overrides })

  test('an unknown name, a wrong password and a name that two entries have are refused in the same words', async () => {
    await directory.addPerson('greta')
    for (const uid of ['twin1', 'twin2']) await directory.addPerson(uid, { email: 'twins@example.org' })
    const { signIn, name } = await add()
    const answers = [await signIn('greta', 'Wrong-moon7'), await signIn('nobody'), await signIn('twins@example.org')]
    for (const { status, error } of answers) {
      expect([status, error.code, error.error]).toEqual([401, 'sign_in_failed', message('directory-wrong')])
    }
    const [event] = await providers.auditOf('twins@example.org')
    expect(event).toMatchObject({ action: 'auth.signin', outcome: 'failure', details: `${name}: several_entries` })
  })

  test.each([
    '*',
    'gre*',
    'greta)(uid=*',
    '*)(uid=*))(|(uid=*',
    'greta\\00',
    'greta\0',
    `uid=greta,ou=people,${baseDn}`,
  ])('the name %j finds nobody', async (username) => {
    const { signIn } = await add()
    expect((await signIn(username)).error.code).toBe('sign_in_failed')
  })

  test('an empty password is refused before the directory is asked', async () => {
    await directory.addPerson('hanna')
    const { signIn } = await add()
    await directory.settle()
    const before = directory.log.length
    expect((await signIn('hanna', '')).error).toMatchObject({ code: 'invalid_input', error: 'Password is required' })
    await directory.settle()
    expect(directory.log.slice(before).filter((line) => line.includes(' ACCEPT '))).toHaveLength(1)
  })

  test('five wrong passwords lock the name in this directory, and nobody else', async () => {
    await directory.addPerson('ida')
    const { signIn } = await add()
    for (const username of ['ida', 'IDA', ' i\u0301da ', 'I\u00ADda', 'ｉda'])
      expect((await signIn(username, 'Wrong-moon7')).error.code).toBe('sign_in_failed')
    const locked = await signIn('ida')
    expect([locked.status, locked.error.code, locked.error.remaining_seconds]).toEqual([423, 'account_locked', 120])
    const elsewhere = await add()
    expect((await elsewhere.signIn('ida', 'Wrong-moon7')).error.code).toBe('sign_in_failed')
    server.clock.advance(120_000)
    expect((await signIn('ida')).status).toBe(200)
  })

  test('StartTLS is used where the settings ask for it, and ldap:// without it is refused', async () => {
    await directory.addPerson('lars')
    const { signIn } = await providers.add(directory.url, { ca: directory.ca, uses_starttls: true })
    expect((await signIn('lars')).status).toBe(200)
    await expect(providers.add('ldap://directory.example.org')).rejects.toThrow('passwords never travel in the clear')
  })

  test('a super admin tries a directory and sees what it says of a person', async () => {
    const dn = await directory.addPerson('mona')
    const { id } = await add()
    const body = { username: 'mona' }
    const tried = (await server.call(api.signInAdmin.testProvider, { token: providers.token, params: { id }, body }))
      .data
    expect(tried.is_working).toBe(true)
    expect(tried.details).toContain(`Found ${dn}.`)
    expect(JSON.stringify(tried)).not.toContain(serviceAccount.password)
  })

  const unavailable: [string, Partial<LdapProviderInput>, string][] = [
    ['whose certificate is not trusted', { ca: '' }, 'is not trusted'],
    ['whose searching account has another password', { bind_password: 'wrong' }, 'refused the searching account'],
    ['whose base does not exist', { base_dn: 'dc=nowhere' }, 'base DN'],
  ]
  test.each(unavailable)(
    'a directory %s is unavailable, and the audit trail says why',
    async (_, overrides, reason) => {
      const { signIn, name } = await add(overrides)
      const username = `reason-of-${name.replace(/\W/g, '').toLowerCase()}`
      const { status, error } = await signIn(username)
      expect([status, error.code]).toEqual([503, 'provider_unavailable'])
      expect(error.error).toContain(`${name} cannot be reached`)
      const [event] = await providers.auditOf(username)
      expect(event).toMatchObject({ action: 'auth.signin', outcome: 'failure' })
      expect(event?.details).toContain(reason)
    },
  )
})

describe.skipIf(lacks('slapd', 'openssl'))('a directory that refuses or is down', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = await startDirectory({ isOpen: true })
  })
  afterAll(() => directory.stop())

  test.each([
    ['533', 'is disabled', 'directory_disabled'],
    ['773', 'asks for a new password', 'directory_must_change'],
    ['775', 'is locked', 'directory_locked'],
  ])('says why Active Directory lets somebody in no further: %s', async (code, words, reason) => {
    const uid = `code${code}`
    const bindFailure = `80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error, data ${code}, v2580`
    await directory.addPerson(uid, { bindFailure })
    const { signIn, name } = await providers.add(directory.secureUrl, { ca: directory.ca, bind_dn: '' })
    const { status, error } = await signIn(uid)
    expect([status, error.code]).toEqual([403, 'sso_denied'])
    expect(error.error).toContain(words)
    expect(await providers.auditOf(uid)).toMatchObject([{ outcome: 'denied', details: `${name}: ${reason}` }])
  })

  test('that hangs, or is down, is unavailable; accounts of this server still sign in', async () => {
    const { signIn } = await providers.add(directory.secureUrl, { ca: directory.ca, bind_dn: '', timeout_seconds: 1 })
    const admin = await server.createUser({ role: 'admin' })
    directory.pause()
    expect((await signIn('nora')).error.code).toBe('provider_unavailable')
    directory.resume()
    await directory.stop()
    for (let tries = 0; tries < 6; tries += 1) {
      const { status, error } = await signIn('nora')
      expect([status, error.code]).toEqual([503, 'provider_unavailable'])
      expect(error.error).toContain('Accounts with a password of this server can still sign in.')
    }
    expect((await signInHere(server, admin)).user.email).toBe(admin.email)
  })
})

describe('without a directory', () => {
  const attempt = (id: string) =>
    server.call(api.sso.directorySignIn, { params: { id }, body: { username: 'anna', password } })

  test('an unknown or disabled directory, or an OpenID provider, does not exist', async () => {
    expect((await attempt('f'.repeat(24))).error.code).toBe('not_found')
    const { id } = await providers.add('ldaps://directory.example.org', { is_enabled: false })
    expect((await attempt(id)).error.code).toBe('not_found')
    const body = OidcProviderInput.parse({
      kind: 'oidc',
      name: 'OpenID',
      issuer: 'https://login.example.org',
      client_id: 'awaz',
    })
    const { provider } = (await server.call(api.signInAdmin.createProvider, { token: providers.token, body })).data
    expect((await attempt(provider.id)).error.code).toBe('not_found')
  })

  test('attempts count together with those by password', async () => {
    const limited = await startTestServer({ config: { rates: { signInPerMinute: 2 } } })
    try {
      const id = 'f'.repeat(24)
      const call = () => limited.call(api.sso.directorySignIn, { params: { id }, body: { username: 'anna', password } })
      await limited.call(api.auth.signIn, { body: { email: 'a@example.org', password } })
      expect((await call()).error.code).toBe('not_found')
      expect((await call()).error.code).toBe('rate_limited')
    } finally {
      await limited.close()
    }
  })
})
