import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LdapProviderInput } from '#contract/entities/sign-in-provider.ts'
import { lacks } from '#testing/needs.ts'
import { baseDn, serviceAccount, startDirectory, type TestDirectory } from '#testing/slapd.ts'
import { createDirectory } from './directory.ts'

const password = 'Harvest-moon7'
type Overrides = Partial<LdapProviderInput>

function settingsOf(directory: Pick<TestDirectory, 'secureUrl' | 'ca'>, overrides: Overrides = {}) {
  return LdapProviderInput.parse({
    kind: 'ldap',
    name: 'Directory',
    url: directory.secureUrl,
    ca: directory.ca,
    bind_dn: serviceAccount.dn,
    bind_password: serviceAccount.password,
    base_dn: baseDn,
    timeout_seconds: 5,
    ...overrides,
  })
}

describe.skipIf(lacks('slapd', 'openssl'))('a directory', () => {
  let directory: TestDirectory
  let anna: string
  beforeAll(async () => {
    directory = await startDirectory()
    anna = await directory.addPerson('anna', { firstName: 'Anna', lastName: 'Ärger', email: 'Anna@Example.org' })
    await directory.addPerson('boris', { email: 'shared@example.org' })
    await directory.addPerson('carla', { email: 'shared@example.org' })
    await directory.addPerson('(weird*)\\ name', { email: 'weird@example.org' })
    await directory.addPerson('größe, "+;<>#=', { email: 'signs@example.org' })
    await directory.addGroup('Analysts', [anna])
  })
  afterAll(() => directory.stop())

  const signIn = (username: string, given = password, overrides: Overrides = {}) =>
    createDirectory(settingsOf(directory, overrides)).signIn(username, given)
  const wrong = (reason: string) => ({ kind: 'wrong_credentials', reason })
  const identityOf = async (username: string, overrides: Overrides = {}) => {
    const answer = await signIn(username, password, overrides)
    if (answer.kind !== 'person') throw new Error(JSON.stringify(answer))
    return answer.identity
  }

  test('describes the person whose password is right', async () => {
    const identity = await identityOf('anna')
    expect(identity).toMatchObject({
      email: 'Anna@Example.org',
      isEmailVerified: true,
      firstName: 'Anna',
      lastName: 'Ärger',
      groups: [`cn=Analysts,ou=groups,${baseDn}`],
      hasProvenSecondFactor: false,
    })
    expect(identity.subject).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect((await identityOf('ANNA@example.org')).subject).toBe(identity.subject)
  })

  test('knows a wrong password, an unknown name and a name that several entries have', async () => {
    expect(await signIn('anna', 'Wrong-moon7')).toEqual(wrong('wrong_password'))
    expect(await signIn('nobody')).toEqual(wrong('unknown_user'))
    expect(await signIn('shared@example.org')).toEqual(wrong('several_entries'))
  })

  test('an unknown name takes the same connections and operations as a wrong password', async () => {
    const recordOperations = async (work: () => Promise<unknown>) => {
      await directory.settle()
      const before = directory.log.length
      await work()
      await directory.settle()
      const lines = directory.log.slice(before)
      return lines
        .flatMap((line) => / ACCEPT | SRCH base=|method=128| RESULT | UNBIND/.exec(line)?.[0] ?? [])
        .toSorted()
    }
    const known = await recordOperations(() => signIn('anna', 'Wrong-moon7'))
    // Two from the sign-in, one from `settle`.
    expect(known.filter((name) => name === 'method=128')).toHaveLength(3)
    expect(await recordOperations(() => signIn('nobody', 'Wrong-moon7'))).toEqual(known)
    expect(await recordOperations(() => signIn('shared@example.org', 'Wrong-moon7'))).toEqual(known)
  })

  test('an empty password is wrong, although the directory would accept it', async () => {
    await directory.settle()
    const before = directory.log.length
    expect(await signIn('anna', '')).toEqual(wrong('wrong_password'))
    await directory.settle()
    expect(directory.log.slice(before).filter((line) => line.includes('uid=anna'))).toEqual([])
    expect(directory.log.slice(before).filter((line) => line.includes(' ACCEPT '))).toHaveLength(1)
  })

  test.each([
    '*',
    'an*',
    'anna)(uid=*',
    '*)(uid=*))(|(uid=*',
    'anna\0',
    'anna\\00',
    '\\2a',
    `uid=anna,ou=people,${baseDn}`,
  ])('the name %j finds nobody', async (username) => {
    expect(await signIn(username)).toEqual(wrong('unknown_user'))
  })

  test.each(['(weird*)\\ name', 'größe, "+;<>#='])(
    'the person whose name is %j signs in, and has groups',
    async (uid) => {
      const dn = await directory.addGroup(`group of ${uid}`, [
        `uid=${uid.replace(/[",+;<>\\#= ]/g, (sign) => `\\${sign}`)},ou=people,${baseDn}`,
      ])
      const byAttribute = await identityOf(uid)
      const bySearch = await identityOf(uid, { groups_attribute: '', group_base_dn: `ou=groups,${baseDn}` })
      expect(byAttribute.groups).toHaveLength(1)
      expect(bySearch.groups).toEqual(byAttribute.groups)
      const group_roles = [{ group: dn, role: 'admin' as const }]
      expect((await identityOf(uid, { group_roles })).groups).toContain(dn)
    },
  )

  test('names the groups of the settings as they are written there: by distinguished or common name', async () => {
    const written = [`CN=analysts, OU=Groups,${baseDn.toUpperCase()}`, 'ANALYSTS', 'Leads', `cn=Leads,${baseDn}`]
    const group_roles = written.map((group) => ({ group, role: 'user' as const }))
    const { groups } = await identityOf('anna', { group_roles })
    expect(groups).toEqual([`cn=Analysts,ou=groups,${baseDn}`, written[0], 'ANALYSTS'])
  })

  test('uses the attributes of the settings, in any case', async () => {
    const overrides = { id_attribute: 'UID', email_attribute: 'CN', first_name_attribute: 'SN', groups_attribute: '' }
    const identity = await identityOf('anna', overrides)
    expect(identity).toMatchObject({ subject: 'anna', email: 'anna', firstName: 'Ärger', groups: [] })
  })

  test('signs in by StartTLS', async () => {
    expect(await signIn('anna', password, { url: directory.url, uses_starttls: true })).toMatchObject({
      kind: 'person',
    })
  })

  test('a test shows an administrator what the directory says, and no password', async () => {
    const { test: tryOut } = createDirectory(settingsOf(directory))
    expect(await tryOut('')).toEqual({
      is_working: true,
      details: [
        `Connected to ${directory.secureUrl}: encrypted with TLSv1.3, its certificate is trusted.`,
        `Searching as ${serviceAccount.dn}.`,
        `Found ${baseDn}. Enter a name to see what the directory says of that person.`,
      ],
    })
    const found = await tryOut('anna')
    expect(found.is_working).toBe(true)
    expect(found.details.slice(2)).toEqual([
      `Found ${anna}.`,
      'E-mail: Anna@Example.org.',
      'Name: Anna Ärger.',
      `Groups: cn=Analysts,ou=groups,${baseDn}.`,
    ])
    expect(JSON.stringify(found)).not.toContain(serviceAccount.password)
    expect((await tryOut('nobody')).details.at(-1)).toContain('No entry')
    expect((await tryOut('shared@example.org')).details.at(-1)).toContain('Several entries')
    const withoutEmail = await createDirectory(settingsOf(directory, { email_attribute: 'title' })).test('anna')
    expect(withoutEmail.is_working).toBe(false)
    expect(withoutEmail.details).toContain('E-mail: none in title; without one no account can be created.')
  })

  const unusable: [string, Overrides, RegExp][] = [
    ['the certificate is not trusted', { ca: '' }, /certificate of .* is not trusted/],
    ['the certificate names another computer', { url: 'ldaps://localhost:PORT' }, /is not trusted: .*localhost/],
    ['the certificates of the settings are none', { ca: 'none' }, /PEM format/],
    ['the password would be sent in the clear', { url: 'ldap://directory.example.org' }, /StartTLS/],
    [
      'the searching account has another password',
      { bind_password: 'wrong' },
      /refused the searching account .*password/,
    ],
    ['the password of the searching account is missing', { bind_password: '' }, /password .* is missing/],
    ['the base does not exist', { base_dn: 'dc=nowhere,dc=org' }, /result 32.*base DN/],
    ['nobody may search without an account', { bind_dn: '' }, /base DN, and whether the searching account may read/],
    ['the filter is none', { user_filter: '(uid={username}' }, /not a search filter/],
    ['the person has no such id', { id_attribute: 'objectGUID' }, /no attribute objectGUID/],
    ['the name of the computer is unknown', { url: 'ldaps://directory.invalid' }, /cannot be reached/],
  ]
  test.each(unusable)('says what to do when %s', async (_, overrides, message) => {
    const url = overrides.url?.replace('PORT', new URL(directory.secureUrl).port) ?? directory.secureUrl
    await expect(signIn('anna', password, { ...overrides, url })).rejects.toThrow(message)
    const tried = await createDirectory(settingsOf(directory, { ...overrides, url })).test('anna')
    expect(tried.is_working).toBe(false)
    expect(tried.details.at(-1)).toMatch(message)
  })

  test('a directory that hangs is given up after the time limit', async () => {
    directory.pause()
    try {
      for (const url of [directory.secureUrl, directory.url]) {
        const settings = { url, uses_starttls: url === directory.url, timeout_seconds: 1 }
        await expect(signIn('anna', password, settings)).rejects.toThrow(/did not answer within 1 s/)
      }
      const plain = signIn('anna', password, { url: directory.url, timeout_seconds: 1 })
      await expect(plain).rejects.toThrow(/did not answer within 1 s/)
    } finally {
      directory.resume()
    }
  })

  test('closes every connection, also after failures', async () => {
    await expect(directory.settle()).resolves.toBeUndefined()
    expect(directory.log.filter((line) => line.includes(' ACCEPT ')).length).toBeGreaterThan(40)
  })
})

describe.skipIf(lacks('slapd', 'openssl'))('answers of Active Directory', () => {
  let directory: TestDirectory
  beforeAll(async () => {
    directory = await startDirectory({ isOpen: true, hasTls: false })
  })
  afterAll(() => directory.stop())

  const signIn = (username: string, overrides: Overrides = {}) => {
    const settings = settingsOf({ secureUrl: directory.url, ca: '' }, { bind_dn: '', ...overrides })
    return createDirectory(settings).signIn(username, password)
  }

  test.each([
    ['533', { kind: 'account_problem', problem: 'disabled' }],
    ['701', { kind: 'account_problem', problem: 'expired' }],
    ['532', { kind: 'account_problem', problem: 'must_change' }],
    ['773', { kind: 'account_problem', problem: 'must_change' }],
    ['775', { kind: 'account_problem', problem: 'locked' }],
    ['530', { kind: 'account_problem', problem: 'not_now' }],
    ['52e', { kind: 'wrong_credentials', reason: 'wrong_password' }],
    ['525', { kind: 'wrong_credentials', reason: 'wrong_password' }],
  ])('data %s', async (code, answer) => {
    const bindFailure = `80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error, data ${code}, v2580`
    await directory.addPerson(`code${code}`, { bindFailure })
    expect(await signIn(`code${code}`)).toEqual(answer)
  })

  test('without a searching account, in a directory that lets anybody search', async () => {
    await directory.addPerson('open')
    expect(await signIn('open')).toMatchObject({ kind: 'person' })
  })

  test('a directory without a certificate refuses StartTLS, and gets no password', async () => {
    await directory.settle()
    const before = directory.log.length
    await expect(signIn('open', { uses_starttls: true })).rejects.toThrow(/refused StartTLS/)
    await expect(signIn('open', { url: directory.url.replace('ldap:', 'ldaps:') })).rejects.toThrow(
      /could not be encrypted/,
    )
    await directory.settle()
    expect(directory.log.slice(before).filter((line) => line.includes('uid=open'))).toEqual([])
  })
})

describe('something else at the address of the directory', () => {
  /** Listens on a free port and answers any request with `answer`. */
  async function listen(answer: Buffer | 'close') {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.on('data', () => (answer === 'close' ? socket.end() : socket.write(answer)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const close = () => {
      sockets.forEach((socket) => socket.destroy())
      server.close()
    }
    return { url: `ldap://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, close }
  }

  /** A successful StartTLS response: message 1, extended response, result 0. */
  const success = Buffer.from('300c02010178070a010004000400', 'hex')
  const answers: [string, Buffer | 'close', RegExp][] = [
    ['no directory', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), /not one of a directory/],
    ['nothing, and closes', 'close', /did not answer to StartTLS: it closed the connection/],
    ['more than the answer, in the clear', Buffer.concat([success, Buffer.from('30')]), /not one of a directory/],
    ['a length that is none', Buffer.from('30ff', 'hex'), /not one of a directory/],
    ['the answer to another request', Buffer.from('300c02010278070a010004000400', 'hex'), /not one of a directory/],
    ['a refusal', Buffer.from('300c02010178070a013504000400', 'hex'), /refused StartTLS: result 53/],
    ['success, and no encryption', success, /could not be encrypted|did not answer within 1 s/],
  ]
  test.each(answers)('that answers with %s gets no password', async (_, answer, message) => {
    const { url, close } = await listen(answer)
    try {
      const settings = settingsOf({ secureUrl: url, ca: '' }, { uses_starttls: true, timeout_seconds: 1 })
      await expect(createDirectory(settings).signIn('anna', password)).rejects.toThrow(message)
    } finally {
      close()
    }
  })
})
