import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { openEvents } from '#testing/event-stream.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

const hourMs = 60 * 60_000

let server: TestServer
let admin: SignedInUser
let superAdmin: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
  admin = await server.createSignedIn({ role: 'admin' })
})

async function list(query: QueryInput<typeof api.admin.listSessions> = {}) {
  return (await server.call(api.admin.listSessions, { query, token: admin.accessToken })).data
}

async function startSession(userId: string, ip = '192.0.2.7'): Promise<string> {
  server.clock.advance(1000)
  const origin = { ip, userAgent: 'Firefox', requestId: 'test' }
  const options = { userId, isRemembered: false, isBrowser: false, origin }
  return (await server.services.sessions.start(options)).sessionId
}

const endSession = (actor: SignedInUser, id: string) =>
  server.call(api.admin.endSession, { params: { id }, token: actor.accessToken })

describe('the sessions of all users', () => {
  test('are listed last used first, each with its user and with the caller’s own marked', async () => {
    const { id, email, username } = await server.createUser()
    const sessionId = await startSession(id)
    const { sessions } = await list()
    expect(sessions[0]).toMatchObject({
      id: sessionId,
      ip_address: '192.0.2.7',
      user_agent: 'Firefox',
      current: false,
      user: { id, email, username, first_name: 'Test', role: 'user' },
    })
    expect(Object.keys(sessions[0]?.user ?? {}).toSorted()).toEqual([
      'email',
      'first_name',
      'id',
      'last_name',
      'role',
      'username',
    ])
    const own = sessions.filter(({ current }) => current)
    expect(own.map(({ user }) => user.id)).toEqual([admin.id])
    const times = sessions.map(({ last_used }) => last_used)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('are found by names and address of their users, page by page', async () => {
    const search = 'sessions.example'
    const one = await server.createUser({ email: `one@${search}` })
    const two = await server.createUser({ email: `two@${search}` })
    await server.services.users.rename(two.id, { firstName: 'Wazhma', lastName: 'Noori' })
    await server.createUser({ email: `none@${search}` })
    const ids: string[] = []
    for (const user of [one, two, one, two, one]) ids.push(await startSession(user.id))
    const newest = ids.toReversed()
    const pages = await Promise.all([1, 2, 3].map((page) => list({ search: search.toUpperCase(), page, per_page: 2 })))
    expect(pages.map(({ total, pages: count }) => [total, count])).toEqual([
      [5, 3],
      [5, 3],
      [5, 3],
    ])
    expect(pages.flatMap(({ sessions }) => sessions.map(({ id }) => id))).toEqual(newest)
    const found = await list({ search: 'wazhma noori' })
    expect(found.sessions.map(({ user }) => user.email)).toEqual([two.email, two.email])
    expect(await list({ search: 'nobody at all' })).toMatchObject({ total: 0, sessions: [] })
  })

  test('are paged without a search too', async () => {
    const [all, first, second] = await Promise.all([
      list({ per_page: 100 }),
      list({ per_page: 2 }),
      list({ per_page: 2, page: 2 }),
    ])
    expect(first.total).toBe(all.sessions.length)
    expect([...first.sessions, ...second.sessions]).toEqual(all.sessions.slice(0, 4))
  })

  test('are listed while they last, by the lifetimes that are set now', async () => {
    const idle = await server.createUser({ email: 'idle@lifetimes.example' })
    await startSession(idle.id)
    const searches = ['', 'lifetimes.example']
    const listed = async () =>
      Promise.all(
        searches.map(async (search) =>
          (await list({ search, per_page: 100 })).sessions.some(({ user }) => user.id === idle.id),
        ),
      )
    expect(await listed()).toEqual([true, true])
    const settings = await server.services.signInSettings.current()
    const save = (session_idle_hours: number) =>
      server.call(api.signInAdmin.changeSettings, {
        body: { ...settings, session_idle_hours },
        token: superAdmin.accessToken,
      })
    server.clock.advance(1.5 * hourMs)
    admin = await server.createSignedIn({ role: 'admin' })
    superAdmin = await server.createSignedIn({ role: 'super_admin' })
    expect(await listed()).toEqual([true, true])
    await save(1)
    expect(await listed()).toEqual([false, false])
    await save(settings.session_idle_hours)
    expect(await listed()).toEqual([true, true])
    server.clock.advance(8 * hourMs)
    admin = await server.createSignedIn({ role: 'admin' })
    expect(await listed()).toEqual([false, false])
  })
})

describe('ending a session', () => {
  test('signs out that session alone, ends its event stream and is audited', async () => {
    const user = await server.createSignedIn()
    const stream = await openEvents(server.url, user.accessToken)
    const otherId = await startSession(user.id)
    const session = (await list({ search: user.email })).sessions.find(({ id }) => id !== otherId)
    expect((await endSession(admin, session?.id ?? '')).data.message).toBe('Session ended')
    await stream.ended
    expect((await server.call(api.profile.get, { token: user.accessToken })).status).toBe(401)
    expect((await server.call(api.auth.refresh, { body: { refresh_token: user.refreshToken } })).status).toBe(401)
    expect((await list({ search: user.email })).sessions.map(({ id }) => id)).toEqual([otherId])
    const query = { action: 'admin.end_session' }
    const { events } = (await server.call(api.admin.audit, { query, token: admin.accessToken })).data
    expect(events[0]).toMatchObject({ actor: admin.email, target: user.email, outcome: 'success' })
  })

  test('is for super admins alone where the session is a super admin’s', async () => {
    const other = await server.createSignedIn({ role: 'super_admin' })
    const id = (await list({ search: other.email })).sessions[0]?.id ?? ''
    const refused = await endSession(admin, id)
    expect([refused.status, refused.error.error]).toEqual([403, message('super-admin-untouchable')])
    expect((await server.call(api.profile.get, { token: other.accessToken })).status).toBe(200)
    expect((await endSession(superAdmin, id)).status).toBe(200)
    expect((await server.call(api.profile.get, { token: other.accessToken })).status).toBe(401)
  })

  test('finds none that does not exist, has ended or is over', async () => {
    expect((await endSession(admin, 'f'.repeat(24))).error.code).toBe('not_found')
    const { id } = await server.createUser()
    const ended = await startSession(id)
    expect((await endSession(admin, ended)).status).toBe(200)
    expect((await endSession(admin, ended)).error.code).toBe('not_found')
    const over = await startSession(id)
    server.clock.advance(9 * hourMs)
    admin = await server.createSignedIn({ role: 'admin' })
    expect((await endSession(admin, over)).error.code).toBe('not_found')
  })
})
