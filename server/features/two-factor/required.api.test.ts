import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Role } from '#contract/entities/user.ts'
import { signInSettingNames, type SignInSettings } from '#contract/sign-in-settings.ts'
import { newestMail, signIn, totp } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

const password = 'Harvest-moon7'
const chosen = 'Chosen-harvest8!'
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let server: TestServer | undefined
afterEach(() => server?.close())

async function start(signInSettings: Partial<SignInSettings>): Promise<TestServer> {
  server = await startTestServer({ config: { signIn: signInSettings } })
  return server
}

interface Account {
  email: string
  password: string
}

async function register(on: TestServer, username: string): Promise<Account> {
  const email = `${username}@example.org`
  await on.call(api.auth.signUp, { body: { email, username, password } })
  const { token } = await newestMail(on, email, 'Verify your e-mail address')
  expect((await on.call(api.auth.verifyEmail, { body: { token } })).data.requires_2fa_setup).toBe(true)
  return { email, password }
}

/** Signs in with a password that somebody else chose and changes it. */
async function takeOver(on: TestServer, account: Account): Promise<Account> {
  const { access_token: token } = await signIn(on, account)
  const body = { current_password: account.password, new_password: chosen }
  expect((await on.call(api.profile.changePassword, { token, body })).status).toBe(200)
  return { email: account.email, password: chosen }
}

async function findFirstAdmin(on: TestServer): Promise<Account> {
  const stored = await readFile(join(on.config.dataDir, 'initial-admin-password'), 'utf8')
  const [email = '', initial = ''] = stored.split('\n')
  return takeOver(on, { email, password: initial })
}

/** Returns an access token of a super admin whose week of grace is just beginning. */
async function superAdminToken(on: TestServer): Promise<string> {
  return (await on.createSignedIn({ role: 'super_admin', hasTwoFactorGrace: true })).accessToken
}

async function create(on: TestServer, username: string, role: Role): Promise<Account> {
  const email = `${username}@example.org`
  const body = { email, username, password, role }
  expect((await on.call(api.superAdmin.createUser, { token: await superAdminToken(on), body })).status).toBe(201)
  return takeOver(on, { email, password })
}

async function invite(on: TestServer, username: string): Promise<Account> {
  const email = `${username}@example.org`
  await on.call(api.invitations.create, { token: await superAdminToken(on), body: { email } })
  const { token } = await newestMail(on, email, 'You are invited')
  expect((await on.call(api.invitations.accept, { body: { token, username, password } })).status).toBe(201)
  return { email, password }
}

const kinds = {
  'the first administrator': findFirstAdmin,
  'a created user': (on) => create(on, 'created', 'user'),
  'a created admin': (on) => create(on, 'created.admin', 'admin'),
  'an invited user': (on) => invite(on, 'invited'),
  'a user who registered': (on) => register(on, 'registered'),
} satisfies Record<string, (on: TestServer) => Promise<Account>>

type Kind = keyof typeof kinds
type Access = 'open' | 'closed'

/** Access during and after the grace period. */
const expected: Record<SignInSettings['two_factor_policy'], Record<Kind, [Access, Access]>> = {
  nobody: {
    'the first administrator': ['open', 'open'],
    'a created user': ['open', 'open'],
    'a created admin': ['open', 'open'],
    'an invited user': ['open', 'open'],
    'a user who registered': ['open', 'open'],
  },
  administrators: {
    'the first administrator': ['open', 'closed'],
    'a created user': ['open', 'open'],
    'a created admin': ['open', 'closed'],
    'an invited user': ['open', 'open'],
    'a user who registered': ['open', 'open'],
  },
  everybody: {
    'the first administrator': ['open', 'closed'],
    'a created user': ['open', 'closed'],
    'a created admin': ['open', 'closed'],
    'an invited user': ['open', 'closed'],
    'a user who registered': ['closed', 'closed'],
  },
}

describe.each(Object.entries(expected))('required of %s', (policy, byKind) => {
  let shared: TestServer
  beforeAll(async () => {
    shared = await startTestServer({ config: { signIn: {} } })
  })
  afterAll(() => shared.close())

  async function accessOf(token: string): Promise<Access> {
    const { status, raw } = await shared.call(api.keywords.list, { token })
    if (status === 200) return 'open'
    expect(raw).toMatchObject({ code: 'two_factor_required', error: message('two-factor-required') })
    return 'closed'
  }

  test.each(Object.entries(byKind))('%s is let in %j: in every session', async (kind, [during, afterwards]) => {
    const body = { two_factor_policy: policy as SignInSettings['two_factor_policy'] } // a key of `expected`
    await shared.call(api.signInAdmin.changeSettings, { token: await superAdminToken(shared), body })
    const startedAt = shared.clock.now()
    const account = await kinds[kind as Kind](shared) // a key of `kinds`
    const first = await signIn(shared, { ...account, remember_me: true })
    const second = await signIn(shared, { ...account, remember_me: true })
    const sessions = [first, second]
    const see = async () => Promise.all(sessions.map(({ access_token }) => accessOf(access_token)))
    const refresh = async () => {
      for (const [index, session] of sessions.entries()) {
        sessions[index] = { ...session, ...(await shared.call(api.auth.refresh, { body: session })).data }
      }
    }
    expect(await see()).toEqual([during, during])

    // The first administrator is as old as the server.
    shared.clock.advance(startedAt + 7 * dayMs - shared.clock.now() - 5 * minuteMs)
    await refresh()
    expect(await see()).toEqual([during, during])
    shared.clock.advance(6 * minuteMs)
    await refresh()
    expect(await see()).toEqual([afterwards, afterwards])
    const third = await signIn(shared, account)
    expect(await accessOf(third.access_token)).toBe(afterwards)
    expect(third.user.two_factor_due === null).toBe(during === 'open' && afterwards === 'open')
  })
})

test('a user who verifies the address and leaves the set-up has no access until a second factor is enabled', async () => {
  const started = await start({})
  const account = await register(started, 'leaver')
  const first = await signIn(started, account)
  expect(first.user).toMatchObject({ two_factor_enabled: false, two_factor_grace: false })
  const again = await signIn(started, account)
  for (const token of [first.access_token, again.access_token]) {
    const refused = await started.call(api.keywords.list, { token })
    expect([refused.status, refused.error.error]).toEqual([403, message('two-factor-required')])
  }

  const token = again.access_token
  const { secret } = (await started.call(api.profile.enableTwoFactor, { token })).data
  const code = await totp(started, secret)
  expect((await started.call(api.profile.verifyTwoFactor, { token, body: { token: code } })).status).toBe(200)
  expect((await started.call(api.keywords.list, { token })).status).toBe(200)
})

test('users learn by when they need it, the same in every session, and others do not', async () => {
  const started = await start({})
  const account = await create(started, 'learner', 'user')
  const { access_token: token, user } = await signIn(started, account)
  const due = new Date(Date.parse(user.created_at) + 7 * dayMs).toISOString()
  expect(user).toMatchObject({ two_factor_grace: true, two_factor_due: due })
  expect((await signIn(started, account)).user.two_factor_due).toBe(due)
  expect((await started.call(api.profile.get, { token })).data.user).toMatchObject({ two_factor_due: due })
  const params = { id: user.id }
  const seen = await started.call(api.admin.getUser, { token: await superAdminToken(started), params })
  expect(seen.data.user).toMatchObject({ two_factor_grace: false, two_factor_due: null })

  const { secret } = (await started.call(api.profile.enableTwoFactor, { token })).data
  const body = { token: await totp(started, secret) }
  const enabled = (await started.call(api.profile.verifyTwoFactor, { token, body })).data
  expect(enabled.user).toMatchObject({ two_factor_enabled: true, two_factor_due: due })
})

test('other days of grace count at once, for accounts that exist too', async () => {
  const started = await start({})
  const account = await create(started, 'waiting', 'user')
  const { access_token: token } = await signIn(started, account)
  const admin = await superAdminToken(started)
  const change = (days: number) =>
    started.call(api.signInAdmin.changeSettings, { token: admin, body: { two_factor_grace_days: days } })
  expect((await started.call(api.keywords.list, { token })).status).toBe(200)
  await started.services.users.update((await started.call(api.profile.get, { token })).data.user.id, {
    createdAt: new Date(started.clock.now() - 2 * dayMs),
  })
  await change(1)
  expect((await started.call(api.keywords.list, { token })).error.code).toBe('two_factor_required')
  await change(3)
  expect((await started.call(api.keywords.list, { token })).status).toBe(200)
})

test('an API key works as long as its owner does', async () => {
  const started = await start({})
  const account = await create(started, 'programmer', 'user')
  const { access_token: token } = await signIn(started, account)
  const expires_at = new Date(started.clock.now() + 30 * dayMs).toISOString()
  const body = { name: 'Script', scope: 'read' as const, expires_at }
  const key = (await started.call(api.integrations.createKey, { token, body })).data.token
  expect((await started.call(api.keywords.list, { token: key })).status).toBe(200)
  started.clock.advance(8 * dayMs)
  expect((await started.call(api.keywords.list, { token: key })).error.code).toBe('two_factor_required')
})

test('GATE_REQUIRES_2FA wins over what super admins decided, and is what the page cannot change', async () => {
  const started = await start({ two_factor_policy: 'nobody' })
  const { email } = await started.createUser({ password })
  const { access_token: token } = await signIn(started, { email, password })
  expect((await started.call(api.keywords.list, { token })).status).toBe(200)
  const admin = await superAdminToken(started)
  const { data } = await started.call(api.signInAdmin.getSettings, { token: admin })
  expect(data.fixed).toEqual(['two_factor_policy'])
  expect(signInSettingNames).toContain('two_factor_policy')
  const body = { two_factor_policy: 'everybody' as const }
  const refused = await started.call(api.signInAdmin.changeSettings, { token: admin, body })
  expect([refused.status, refused.error.error]).toEqual([409, "The server's configuration decides GATE_REQUIRES_2FA."])
})

test.each(['next_sign_in', 'running'] as const)(
  'the first administrator of an earlier version, in the state %s, has the same days of grace',
  async (twoFactorGrace) => {
    const started = await start({})
    const { id, email } = await started.createUser({ role: 'super_admin', password })
    await started.services.users.update(id, { twoFactorGrace })
    for (let sessions = 0; sessions < 2; sessions += 1) {
      const { access_token: token } = await signIn(started, { email, password })
      expect((await started.call(api.admin.stats, { token })).status).toBe(200)
    }
    started.clock.advance(7 * dayMs)
    const { access_token: late } = await signIn(started, { email, password })
    expect((await started.call(api.admin.stats, { token: late })).error.code).toBe('two_factor_required')
  },
)

test('an account of an earlier version that nobody marked has no grace, whoever made it', async () => {
  const started = await start({})
  const { email } = await started.createUser({ role: 'super_admin', password })
  const { access_token: token } = await signIn(started, { email, password })
  expect((await started.call(api.admin.stats, { token })).error.code).toBe('two_factor_required')
})
