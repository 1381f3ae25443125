import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { Username } from '#contract/names.ts'
import { readConfig } from '#data/config.ts'
import { enableTwoFactor, newestMail, signIn } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

// The command line operates on the database and the data folder of a running server.
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  vi.stubEnv('MONGODB_URI', server.databaseUri)
  vi.stubEnv('DATA_DIR', server.config.dataDir)
  vi.stubEnv('BCRYPT_COST', '10') // the cheapest that the setting allows
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

/** Runs `awaz admin ...` and returns what it printed. */
async function awazAdmin(...args: string[]): Promise<string> {
  const { run } = await import('../../../scripts/admin/main.ts')
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  expect(await run(args)).toBe(0)
  return lines.join('\n')
}

const passwordIn = (text: string) => /: (\S+)$/m.exec(text)?.[1] ?? ''

test('creates an account, lists it, resets its password and second factor, and unlocks it', async () => {
  const email = 'operator@example.org'
  const first = passwordIn(await awazAdmin('create', email, '--role', 'admin'))
  expect(await awazAdmin('list')).toMatch(/operator@example\.org +admin/)
  const signedIn = await signIn(server, { email, password: first })
  expect(signedIn.user).toMatchObject({ role: 'admin', must_change_password: true })
  expect(await server.services.users.findByEmail(email)).toMatchObject({ twoFactorGrace: 'since_creation' })
  await enableTwoFactor(server, signedIn.access_token)

  for (let tries = 0; tries < 5; tries += 1)
    await server.call(api.auth.signIn, { body: { email, password: 'Wrong-moon7' } })
  await awazAdmin('unlock', email)
  const second = passwordIn(await awazAdmin('reset-password', email))
  await awazAdmin('reset-2fa', email)
  expect((await server.call(api.profile.get, { token: signedIn.access_token })).status).toBe(401)
  expect((await signIn(server, { email, password: second })).user.two_factor_enabled).toBe(false)
})

test('opens a library that a reset closed', async () => {
  const { id, email } = await server.createUser()
  const { users, closedLibraries } = server.services
  const origin = { ip: '', userAgent: '', requestId: '' }
  const options = { reason: 'password' as const, actor: { email: 'admin@example.org' }, origin }
  await closedLibraries.close(await users.get(id), options, (closure) => users.update(id, {}, closure))
  expect(await awazAdmin('open-library', email)).toContain('is open')
  expect((await server.services.users.get(id)).libraryClosure).toBeNull()
  await expect(awazAdmin('open-library', email)).rejects.toThrow('This library is open')
})

test.each([
  ['and gives the former address back', [], 'former'],
  ['and keeps the present address where it is told so', ['--keep-address'], 'present'],
] as const)('opens a library %s', async (_, flags, kept) => {
  const { id, email: former } = await server.createUser()
  const { users, closedLibraries } = server.services
  const origin = { ip: '', userAgent: '', requestId: '' }
  const options = { reason: 'address' as const, actor: { email: 'admin@example.org' }, origin }
  const present = `new-${former}`
  await closedLibraries.close(await users.get(id), options, (closure) => users.update(id, { email: present }, closure))
  const address = { former, present }[kept]
  expect(await awazAdmin('open-library', present, ...flags)).toContain(`The library of ${address} is open`)
  expect(await users.get(id)).toMatchObject({ email: address, isVerified: true, libraryClosure: null })
})

test('creates a user by default, with the given names and a valid username', async () => {
  const printed = await awazAdmin('create', 'a.b+c@example.org', '--first-name', 'Zarghuna', '--last-name', 'Ana')
  expect(printed).toContain('(user, username a.b.c)')
  expect(await server.services.users.findByEmail('a.b+c@example.org')).toMatchObject({
    role: 'user',
    username: 'a.b.c',
    firstName: 'Zarghuna',
    lastName: 'Ana',
  })
  expect(await awazAdmin('create', 'a.b.c@example.org')).toContain('username a.b.c.2)')
  await expect(awazAdmin('create', 'x@example.org', '--username=-x-')).rejects.toThrow('Username must begin')
  await expect(awazAdmin('create', 'x@example.org', '--role', 'king')).rejects.toThrow('no role "king"')
})

test('invites somebody, mails it and prints the link, which makes the account', async () => {
  const email = 'invited@example.org'
  const printed = await awazAdmin('invite', email, '--role', 'admin', '--days', '2', '--first-name', 'Nazo')
  expect(printed).toContain(`Invited ${email} (admin). The link works for 2 days, and once: `)
  const mail = await newestMail(server, email, 'You are invited')
  const { token } = mail
  expect(printed).toContain(`${server.config.publicUrl}/invitation?token=${token}`)
  expect(mail.text).toContain('The administrator invites you')
  const body = { token, username: 'nazo', password: 'Harvest-moon7' }
  const { user } = (await server.call(api.invitations.accept, { body })).data
  expect(user).toMatchObject({ email, role: 'admin', first_name: 'Nazo' })
  await expect(awazAdmin('invite', email)).rejects.toThrow('Email already registered')
  await expect(awazAdmin('invite', 'x@example.org', '--role', 'king')).rejects.toThrow('There is no such role')
  await expect(awazAdmin('invite', 'x@example.org', '--days', 'many')).rejects.toThrow('from 1 to 30')
  await expect(awazAdmin('invite', 'nonsense')).rejects.toThrow('Please give the e-mail address')
})

test('a username made of any address is one that the profile accepts', async () => {
  for (const local of ['a+b', '-x-', '_', 'o’neill', 'ab._cd', 'نجیب', 'x'.repeat(64)]) {
    const email = `${local}@odd.example`
    await awazAdmin('create', '--', email)
    const user = await server.services.users.findByEmail(email)
    expect(Username.safeParse(user?.username).success, `${local}: ${user?.username}`).toBe(true)
  }
})

test('changes a role, ends the sessions and audits it; never demotes the last super admin', async () => {
  const { email, accessToken: token } = await server.createSignedIn()
  expect(await awazAdmin('role', email, 'admin')).toContain('is admin now')
  expect((await server.call(api.profile.get, { token })).status).toBe(401)
  const { accessToken } = await server.createSignedIn({ role: 'admin' })
  const query = { action: 'cli.role', search: email }
  const { events } = (await server.call(api.admin.audit, { query, token: accessToken })).data
  expect(events).toMatchObject([{ actor: 'command line', details: 'user to admin' }])
  await expect(awazAdmin('role', email, 'king')).rejects.toThrow('no role "king"')
  await expect(awazAdmin('role', 'admin@awaz.local', 'user')).rejects.toThrow('at least one active super admin')
})

test.each(['role', 'reset-password', 'reset-2fa', 'open-library', 'unlock'])(
  '%s says so when there is no such account',
  async (deed) => {
    await expect(awazAdmin(deed, 'nobody@example.org', 'user')).rejects.toThrow('There is no account')
  },
)

test('on a terminal it asks before it makes a database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-wrong-'))
  const { openCliDatabase } = await import('../../../scripts/admin/database.ts')
  const config = readConfig({ DATA_DIR: folder })
  const questions: string[] = []
  const answer = (isYes: boolean) => (question: string) => {
    questions.push(question)
    return Promise.resolve(isYes)
  }
  try {
    await expect(openCliDatabase(config, { canCreate: false, ask: answer(false) })).rejects.toThrow(
      'There is no database',
    )
    expect(await readdir(folder)).toEqual([])
    await (await openCliDatabase(config, { canCreate: false, ask: answer(true) })).stop()
    expect(await readdir(folder)).toEqual(['db'])
    expect(questions).toEqual(Array(2).fill(`There is no database in ${folder}. Create one there?`))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('creates no database in an empty folder, unless an option allows it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-wrong-'))
  vi.stubEnv('MONGODB_URI', '')
  vi.stubEnv('DATA_DIR', folder)
  try {
    await expect(awazAdmin('create', 'x@example.org')).rejects.toThrow(`There is no database in ${folder}`)
    expect(await readdir(folder)).toEqual([])
    expect(await awazAdmin('create', 'x@example.org', '--new')).toContain('Created x@example.org')
    expect(await awazAdmin('list')).toMatch(/x@example\.org/)
  } finally {
    vi.stubEnv('MONGODB_URI', server.databaseUri)
    vi.stubEnv('DATA_DIR', server.config.dataDir)
    await rm(folder, { recursive: true, force: true })
  }
})
