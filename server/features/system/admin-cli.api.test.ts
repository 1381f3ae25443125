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

test('says so when there is no such account', async () => {
  await expect(awazAdmin('reset-2fa', 'nobody@example.org')).rejects.toThrow('There is no account')
})
