import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { enableTwoFactor, signIn } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

// The command line works on the database and the data folder of a running server.
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  vi.stubEnv('MONGODB_URI', server.databaseUri)
  vi.stubEnv('DATA_DIR', server.config.dataDir)
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

/** Runs `awaz admin ...` and answers what it printed. */
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
  await enableTwoFactor(server, signedIn.access_token)

  for (let tries = 0; tries < 5; tries += 1)
    await server.call(api.auth.signIn, { body: { email, password: 'Wrong-moon7' } })
  await awazAdmin('unlock', email)
  const second = passwordIn(await awazAdmin('reset-password', email))
  await awazAdmin('reset-2fa', email)
  expect((await server.call(api.profile.get, { token: signedIn.access_token })).status).toBe(401)
  expect((await signIn(server, { email, password: second })).user.two_factor_enabled).toBe(false)
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

test.each(['role', 'reset-password', 'reset-2fa', 'unlock'])(
  '%s says so when there is no such account',
  async (deed) => {
    await expect(awazAdmin(deed, 'nobody@example.org', 'user')).rejects.toThrow('There is no account')
  },
)

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
