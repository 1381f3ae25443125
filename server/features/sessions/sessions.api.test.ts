import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { refreshTokenModel } from '#data/sessions/refresh-tokens.ts'
import { enableTwoFactor, signIn, totp } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const browser = { headers: { Origin: 'http://localhost:5000' } }
const minuteMs = 60_000
const hourMs = 60 * minuteMs

function refresh(token: string, cookies?: Record<string, string>) {
  return server.call(api.auth.refresh, { body: { refresh_token: token }, ...(cookies && { cookies }) })
}

describe('access tokens', () => {
  test('expire after ten minutes with the reason', async () => {
    const user = await server.createSignedIn()
    server.clock.advance(10 * minuteMs + 1000)
    const { status, error } = await server.call(api.profile.get, { token: user.accessToken })
    expect([status, error.code, error.error]).toEqual([401, 'session_expired', message('session-expired')])
  })

  test('that are missing are reported as such', async () => {
    const { status, error } = await server.call(api.profile.get)
    expect([status, error.code, error.error]).toEqual([401, 'session_missing', message('session-missing')])
  })

  test('are rejected when signed without a key or for another purpose', async () => {
    const user = await server.createUser()
    const { cookies } = await signIn(server, { ...user, ...browser })
    const [, payload = ''] = cookies.awaz_audio?.split('.') ?? []
    const unsigned = `${Buffer.from('{"alg":"none","typ":"awaz-api+jwt"}').toString('base64url')}.${payload}.`
    for (const token of [unsigned, cookies.awaz_audio]) {
      expect((await server.call(api.profile.get, { token })).status).toBe(401)
    }
  })
})

describe('refresh tokens', () => {
  test('rotate; a retry of the immediate predecessor within ten seconds gets the same successor', async () => {
    const user = await server.createSignedIn()
    const pairs = await Promise.all([
      refresh(user.refreshToken),
      refresh(user.refreshToken),
      refresh(user.refreshToken),
    ])
    expect(pairs.map(({ status }) => status)).toEqual([200, 200, 200])
    server.clock.advance(9000)
    pairs.push(await refresh(user.refreshToken))
    const successors = new Set(pairs.map(({ data }) => data.refresh_token))
    expect(successors.size).toBe(1)
    expect(successors).not.toContain(user.refreshToken)
  })

  test('end the family, audited, when one is reused after the grace period', async () => {
    const user = await server.createSignedIn()
    const next = (await refresh(user.refreshToken)).data
    server.clock.advance(11_000)
    expect((await refresh(user.refreshToken)).status).toBe(401)
    expect((await refresh(next.refresh_token)).status).toBe(401)
    expect((await server.call(api.profile.get, { token: next.access_token })).status).toBe(401)
    const admin = await server.createSignedIn({ role: 'admin' })
    const query = { action: 'auth.token_reuse', search: user.email }
    const { events } = (await server.call(api.admin.audit, { query, token: admin.accessToken })).data
    expect(events).toMatchObject([{ outcome: 'denied', actor: user.email }])
  })

  test('have one branch: a shared token is detected when both holders continue', async () => {
    const user = await server.createSignedIn()
    const owner = (await refresh(user.refreshToken)).data
    const thief = (await refresh(user.refreshToken)).data
    const latest = (await refresh(owner.refresh_token)).data
    server.clock.advance(11_000)
    expect((await refresh(thief.refresh_token)).status).toBe(401)
    expect((await refresh(latest.refresh_token)).status).toBe(401)
  })

  test('survive a crash between storing the successor and marking the token as used', async () => {
    const user = await server.createSignedIn()
    const first = (await refresh(user.refreshToken)).data
    const tokens = refreshTokenModel(server.services.database.connection)
    await tokens.updateMany({ userId: user.id }, { $set: { usedAt: null } })
    server.clock.advance(60_000)
    const again = await refresh(user.refreshToken)
    expect(again.data.refresh_token).toBe(first.refresh_token)
    expect((await refresh(first.refresh_token)).status).toBe(200)
  })

  test('end the family when one is reused whose successor was used', async () => {
    const user = await server.createSignedIn()
    const second = (await refresh(user.refreshToken)).data
    const third = (await refresh(second.refresh_token)).data
    expect((await refresh(user.refreshToken)).status).toBe(401)
    expect((await refresh(third.refresh_token)).status).toBe(401)
    expect((await server.call(api.profile.get, { token: third.access_token })).status).toBe(401)
  })

  test('expire after eight idle hours and after a day in any case', async () => {
    const idle = await server.createSignedIn()
    const busy = await server.createSignedIn()
    let token = busy.refreshToken
    for (let hours = 0; hours < 21; hours += 7) {
      server.clock.advance(7 * hourMs)
      token = (await refresh(token)).data.refresh_token
    }
    expect((await refresh(idle.refreshToken)).status).toBe(401)
    server.clock.advance(4 * hourMs)
    expect((await refresh(token)).status).toBe(401)
  })

  test('of remembered sessions last 14 idle days and 30 in total', async () => {
    const { email, password } = await server.createUser()
    let token = (await signIn(server, { email, password, remember_me: true })).refresh_token
    for (let days = 0; days < 26; days += 13) {
      server.clock.advance(13 * 24 * hourMs)
      token = (await refresh(token)).data.refresh_token
    }
    server.clock.advance(5 * 24 * hourMs)
    expect((await refresh(token)).status).toBe(401)
  })
})

describe('browsers', () => {
  test('are bound to a cookie that refreshing requires', async () => {
    const { email, password } = await server.createUser()
    const { refresh_token: token, cookies } = await signIn(server, { email, password, ...browser })
    expect((await refresh(token)).status).toBe(401)
    expect((await refresh(token, { awaz_binding: 'stolen' })).status).toBe(401)
    const refreshed = await refresh(token, cookies)
    expect(refreshed.status).toBe(200)
    expect(refreshed.cookies.awaz_audio).toBeTruthy()
  })

  test('get HttpOnly session cookies, and persistent ones when remembered', async () => {
    const { email, password } = await server.createUser()
    const cookiesOf = async (rememberMe: boolean) => {
      const body = { email, password, remember_me: rememberMe }
      return (await server.call(api.auth.signIn, { body, ...browser })).headers.getSetCookie()
    }
    const isOfSession = (cookie: string) => /^awaz_(binding|audio)=/.test(cookie)
    const brief = (await cookiesOf(false)).filter(isOfSession)
    const lasting = (await cookiesOf(true)).filter(isOfSession)
    expect([brief.length, lasting.length]).toEqual([2, 2])
    for (const cookie of brief) expect(cookie).toMatch(/; Path=\/api\/\w+; HttpOnly; SameSite=Strict$/)
    for (const cookie of lasting) expect(cookie).toMatch(/Max-Age=2592000$/)
  })

  test('lose their cookies at sign-out', async () => {
    const answer = await server.call(api.auth.signOut, { body: {} })
    expect(answer.data.message).toBe(message('signed-out'))
    expect(answer.cookies).toEqual({ awaz_binding: '', awaz_audio: '' })
  })
})

describe('the list of sessions', () => {
  test('shows each, marks the current one, and ends one or all at once', async () => {
    const { email, password } = await server.createUser()
    const first = await signIn(server, { email, password, headers: { 'User-Agent': 'first browser' } })
    const second = await signIn(server, { email, password })
    const { sessions } = (await server.call(api.profile.listSessions, { token: second.access_token })).data
    expect(sessions).toHaveLength(2)
    const other = sessions.find(({ current }) => !current)
    expect(other).toMatchObject({ user_agent: 'first browser', ip_address: '127.0.0.1' })
    const params = { id: other?.id ?? '' }
    expect((await server.call(api.profile.endSession, { params, token: second.access_token })).status).toBe(200)
    expect((await server.call(api.profile.get, { token: first.access_token })).status).toBe(401)
    const again = await server.call(api.profile.endSession, { params, token: second.access_token })
    expect(again.error.code).toBe('not_found')
    await server.call(api.profile.endAllSessions, { token: second.access_token })
    expect((await server.call(api.profile.get, { token: second.access_token })).status).toBe(401)
  })

  test('never ends a session of another user', async () => {
    const owner = await server.createSignedIn()
    const other = await server.createSignedIn()
    const { sessions } = (await server.call(api.profile.listSessions, { token: owner.accessToken })).data
    const params = { id: sessions[0]?.id ?? '' }
    expect((await server.call(api.profile.endSession, { params, token: other.accessToken })).status).toBe(404)
    expect((await server.call(api.profile.get, { token: owner.accessToken })).status).toBe(200)
  })
})

const changes = {
  password: ({ password, accessToken: token }: SignedInUser) =>
    server.call(api.profile.changePassword, {
      body: { current_password: password, new_password: 'Other-harvest8!' },
      token,
    }),
  'two-factor, switched on': ({ accessToken: token }: SignedInUser) => enableTwoFactor(server, token),
}

test.each(Object.entries(changes))('a change of %s ends the other sessions', async (_, change) => {
  const user = await server.createSignedIn()
  const other = await anotherSession(user)
  await change(user)
  expect((await server.call(api.profile.get, { token: other })).status).toBe(401)
  const own = await refresh(user.refreshToken)
  expect((await server.call(api.profile.get, { token: own.data.access_token })).status).toBe(200)
})

test('an account has at most a hundred sessions: one more ends the one unused for longest', async () => {
  const user = await server.createSignedIn()
  for (let n = 0; n < 99; n += 1) await anotherSession(user)
  expect((await server.call(api.profile.get, { token: user.accessToken })).status).toBe(200)
  server.clock.advance(1000)
  await refresh(user.refreshToken)
  const newest = await anotherSession(user)
  expect(await server.services.sessions.list(user.id)).toHaveLength(100)
  expect((await server.call(api.profile.get, { token: user.accessToken })).status).toBe(200)
  expect((await server.call(api.profile.get, { token: newest })).status).toBe(200)
})

test('disabling two-factor ends the other sessions', async () => {
  const user = await server.createSignedIn()
  const { secret } = await enableTwoFactor(server, user.accessToken)
  const other = await anotherSession(user)
  const headers = { 'X-TOTP-Token': await totp(server, secret, 1) }
  const answer = await server.call(api.profile.disableTwoFactor, { token: user.accessToken, headers })
  expect(answer.data.user.two_factor_enabled).toBe(false)
  expect((await server.call(api.profile.get, { token: other })).status).toBe(401)
})

async function anotherSession({ id }: SignedInUser): Promise<string> {
  const origin = { ip: '', userAgent: '', requestId: '' }
  return (await server.services.sessions.start({ userId: id, isRemembered: false, isBrowser: false, origin }))
    .accessToken
}

test('renewing backup codes voids the old ones', async () => {
  const user = await server.createSignedIn()
  const { secret, backupCodes } = await enableTwoFactor(server, user.accessToken)
  const headers = { 'X-TOTP-Token': await totp(server, secret, 1) }
  const renewed = (await server.call(api.profile.renewBackupCodes, { token: user.accessToken, headers })).data
    .backup_codes
  expect(renewed).toHaveLength(10)
  const { email, password } = user
  const old = await server.call(api.auth.signIn, { body: { email, password, totp_token: backupCodes[0] } })
  expect(old.status).toBe(401)
  await signIn(server, { email, password, totp_token: renewed[0] ?? '' })
})
