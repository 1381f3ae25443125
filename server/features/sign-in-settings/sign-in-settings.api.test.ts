import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { defaultSignInSettings, type SignInSettings } from '#contract/sign-in-settings.ts'
import { readConfig } from '#data/config.ts'
import { createSignInSettings } from './service.ts'
import { signIn } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer({ config: { signIn: {} } })
  await renewToken()
})
afterAll(() => server.close())

async function renewToken(): Promise<void> {
  token = (await server.createSignedIn({ role: 'super_admin', hasTwoFactorGrace: true })).accessToken
}

function change(body: Partial<SignInSettings>) {
  return server.call(api.signInAdmin.changeSettings, { body, token })
}

test('without changes they are the defaults, and nothing is fixed', async () => {
  const { data } = await server.call(api.signInAdmin.getSettings, { token })
  expect(data).toEqual({ settings: defaultSignInSettings, fixed: [] })
})

test('a change counts at once, here and in /api/config, and is audited with old and new values', async () => {
  const changed = { registration: 'domains', registration_domains: [' Example.org '] } as const
  const expected = { ...defaultSignInSettings, registration: 'domains', registration_domains: ['example.org'] }
  expect((await change({ ...changed, registration_domains: [...changed.registration_domains] })).data.settings).toEqual(
    expected,
  )
  expect((await server.call(api.signInAdmin.getSettings, { token })).data.settings).toEqual(expected)
  expect((await server.call(api.system.config)).data).toMatchObject({
    registration: 'domains',
    registration_domains: ['example.org'],
  })
  const body = { email: 'x@example.com', username: 'somebody', password: 'Harvest-moon7' }
  expect((await server.call(api.auth.signUp, { body })).error.code).toBe('registration_closed')

  const { events } = (await server.call(api.admin.audit, { query: { action: 'admin.sign_in_settings' }, token })).data
  expect(events.map(({ details }) => details)).toEqual([
    'registration: open to domains; registration_domains: none to example.org',
  ])
  await change({ registration: 'open', registration_domains: [] })
})

test('a change that changes nothing is not audited', async () => {
  const count = async () =>
    (await server.call(api.admin.audit, { query: { action: 'admin.sign_in_settings' }, token })).data.total
  const before = await count()
  expect((await change({ registration: 'open' })).data.settings).toEqual(defaultSignInSettings)
  expect(await count()).toBe(before)
})

test('another server sees a change after two seconds', async () => {
  const { config, clock, services } = server
  const other = createSignInSettings({ config, clock, connection: services.database.connection, audit: services.audit })
  expect((await other.current()).registration).toBe('open')
  await change({ registration: 'closed' })
  clock.advance(2001)
  expect((await other.current()).registration).toBe('closed')
  await change({ registration: 'open' })
})

test.each([
  [{ registration: 'domains' }, 'registration_domains'],
  [{ session_idle_hours: 25 }, 'session_idle_hours'],
  [{ session_hours: 7 }, 'session_idle_hours'],
  [{ remembered_days: 13 }, 'remembered_idle_days'],
  [{ session_hours: 0 }, 'session_hours'],
  [{ registration_domains: ['nonsense'] }, 'registration_domains'],
  [{ two_factor_grace_days: 366 }, 'two_factor_grace_days'],
] satisfies [Partial<SignInSettings>, string][])('%j is refused with a sentence at %s', async (body, field) => {
  const { status, error } = await change(body)
  expect([status, error.code, Object.keys(error.fields ?? {}).map((name) => name.split('.')[0])]).toEqual([
    400,
    'invalid_input',
    [field],
  ])
  expect((await server.call(api.signInAdmin.getSettings, { token })).data.settings).toEqual(defaultSignInSettings)
})

describe('shorter lifetimes', () => {
  test('end running sessions at their next use and show in the list', async () => {
    const { email, password } = await server.createUser({ hasTwoFactorGrace: true })
    const session = await signIn(server, { email, password })
    const remembered = await signIn(server, { email, password, remember_me: true })
    server.clock.advance(3 * hourMs)
    const refreshed = (await server.call(api.auth.refresh, { body: session })).data
    await renewToken()
    await change({ session_idle_hours: 2, session_hours: 2 })
    expect((await server.call(api.profile.get, { token: refreshed.access_token })).error.code).toBe('session_expired')
    expect((await server.call(api.auth.refresh, { body: refreshed })).error.code).toBe('session_expired')
    const { data } = await server.call(api.auth.refresh, { body: remembered })
    const { sessions } = (await server.call(api.profile.listSessions, { token: data.access_token })).data
    expect(sessions.map(({ current }) => current)).toEqual([true])

    await change({ remembered_idle_days: 1, remembered_days: 1 })
    const [own] = (await server.call(api.profile.listSessions, { token: data.access_token })).data.sessions
    expect(Date.parse(own?.expires_at ?? '') - Date.parse(own?.created_at ?? '')).toBe(dayMs)
    server.clock.advance(22 * hourMs)
    expect((await server.call(api.auth.refresh, { body: data })).error.code).toBe('session_expired')
    await renewToken()
    await change(defaultSignInSettings)
  })

  test('count for new sessions', async () => {
    await change({ session_idle_hours: 1, session_hours: 3 })
    const { email, password } = await server.createUser({ hasTwoFactorGrace: true })
    let session: { refresh_token: string } = await signIn(server, { email, password })
    for (let hours = 0; hours < 3; hours += 0.75) {
      session = (await server.call(api.auth.refresh, { body: session })).data
      server.clock.advance(0.75 * hourMs)
    }
    expect((await server.call(api.auth.refresh, { body: session })).error.code).toBe('session_expired')
    const unused = await signIn(server, { email, password })
    server.clock.advance(hourMs + 1000)
    expect((await server.call(api.auth.refresh, { body: unused })).error.code).toBe('session_expired')
    await renewToken()
    await change(defaultSignInSettings)
  })
})

test('what the environment decides cannot be changed, and wins over what was stored', async () => {
  const { signIn: fixed } = readConfig({ REGISTRATION: 'invitation', SESSION_HOURS: '4' })
  const started = await startTestServer({ config: { signIn: fixed } })
  try {
    const { accessToken } = await started.createSignedIn({ role: 'super_admin', hasTwoFactorGrace: true })
    const { data } = await started.call(api.signInAdmin.getSettings, { token: accessToken })
    expect(data.fixed).toEqual(['registration', 'session_hours'])
    expect(data.settings).toMatchObject({ registration: 'invitation', session_hours: 4, session_idle_hours: 4 })
    const refused = await started.call(api.signInAdmin.changeSettings, {
      body: { registration: 'open', remembered_days: 20 },
      token: accessToken,
    })
    expect([refused.status, refused.error.code]).toEqual([409, 'conflict'])
    expect(refused.error.error).toBe("The server's configuration decides REGISTRATION.")
    const repeated = { ...data.settings, remembered_days: 20 }
    const accepted = await started.call(api.signInAdmin.changeSettings, { body: repeated, token: accessToken })
    expect(accepted.data.settings).toEqual(repeated)
  } finally {
    await started.close()
  }
})

test('the configuration refuses an unused session that outlives any session', () => {
  expect(() => readConfig({ SESSION_IDLE_HOURS: '9', SESSION_HOURS: '8' })).toThrow(/SESSION_IDLE_HOURS must not/)
  expect(() => readConfig({ REMEMBERED_IDLE_DAYS: '9', REMEMBERED_DAYS: '8' })).toThrow(/REMEMBERED_IDLE_DAYS must/)
})
