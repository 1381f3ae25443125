import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enableTwoFactor, newestMail } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

let server: TestServer
let deadMailServer: TestServer
beforeAll(async () => {
  server = await startTestServer()
  deadMailServer = await startTestServer({ config: { smtpUrl: 'smtp://127.0.0.1:1' } })
})
afterAll(() => Promise.all([server.close(), deadMailServer.close()]))

async function overview({ accessToken: token }: SignedInUser, { call } = server) {
  return (await call(api.admin.overview, { token })).data
}

test('counts users, dormant ones, sessions and failed sign-ins of the last day', async () => {
  const admin = await server.createSignedIn({ role: 'admin' })
  const before = await overview(admin)
  const { users } = server.services
  const daysAgo = (days: number) => new Date(server.clock.now() - days * dayMs)

  const active = await server.createSignedIn()
  await enableTwoFactor(server, active.accessToken)
  await server.createUser({ isActive: false })
  await server.createUser({ isVerified: false })
  const dormant = await server.createUser()
  await users.update(dormant.id, { lastLoginAt: daysAgo(91), createdAt: daysAgo(200), hasPasskey: true })
  const never = await server.createUser()
  await users.update(never.id, { createdAt: daysAgo(91) })
  const lately = await server.createUser()
  await users.update(lately.id, { lastLoginAt: daysAgo(89), createdAt: daysAgo(200) })
  const after = await overview(admin)
  expect(after).toEqual({
    ...before,
    total_users: before.total_users + 6,
    active_users: before.active_users + 5,
    inactive_users: before.inactive_users + 1,
    unverified_users: before.unverified_users + 1,
    users_without_2fa: before.users_without_2fa + 4,
    dormant_users: before.dormant_users + 2,
    open_sessions: before.open_sessions + 1,
  })

  const attempt = (password: string) => server.call(api.auth.signIn, { body: { email: lately.email, password } })
  expect((await attempt('Wrong-moon7')).status).toBe(401)
  expect(
    (await server.call(api.auth.signIn, { body: { email: 'nobody@example.org', password: 'Wrong-moon7' } })).status,
  ).toBe(401)
  expect((await attempt(lately.password)).status).toBe(200)
  expect((await overview(admin)).failed_sign_ins).toBe(before.failed_sign_ins + 2)
  server.clock.advance(25 * hourMs)
  const next = await server.createSignedIn({ role: 'admin' })
  expect(await overview(next)).toMatchObject({ failed_sign_ins: 0, open_sessions: 1 })
})

test('agrees with the statistics and with the lists that its figures lead to', async () => {
  const admin = await server.createSignedIn({ role: 'admin' })
  await server.createUser({ isActive: false })
  await server.createUser({ isVerified: false })
  const old = await server.createUser()
  await server.services.users.update(old.id, { createdAt: new Date(server.clock.now() - 100 * dayMs) })
  const figures = await overview(admin)
  const totalOf = async (query: object) =>
    (await server.call(api.admin.listUsers, { query, token: admin.accessToken })).data.total
  expect(await totalOf({})).toBe(figures.total_users)
  expect(await totalOf({ state: 'active' })).toBe(figures.active_users)
  expect(await totalOf({ state: 'inactive' })).toBe(figures.inactive_users)
  expect(await totalOf({ state: 'unverified' })).toBe(figures.unverified_users)
  expect(await totalOf({ state: 'without_2fa' })).toBe(figures.users_without_2fa)
  expect(await totalOf({ inactive_days: 90 })).toBe(figures.dormant_users)
  expect(figures.dormant_users).toBeGreaterThan(0)
  const sessions = (await server.call(api.admin.listSessions, { token: admin.accessToken })).data
  expect(sessions.total).toBe(figures.open_sessions)
})

test('counts the invitations that nobody accepted yet', async () => {
  const admin = await server.createSignedIn({ role: 'admin' })
  expect((await overview(admin)).pending_invitations).toBe(0)
  const body = { email: 'new@example.org' }
  await server.call(api.invitations.create, { body, token: admin.accessToken })
  expect((await overview(admin)).pending_invitations).toBe(1)
})

test('counts mails for super admins alone', async () => {
  const { call, createSignedIn, createUser } = deadMailServer
  const superAdmin = await createSignedIn({ role: 'super_admin' })
  const admin = await createSignedIn({ role: 'admin' })
  const { email } = await createUser()
  await call(api.auth.forgotPassword, { body: { email } })
  await newestMail(deadMailServer, email, 'Your password reset code')
  expect(await overview(superAdmin, deadMailServer)).toMatchObject({ waiting_mails: 1, failing_mails: 1 })
  expect(await overview(admin, deadMailServer)).toMatchObject({ waiting_mails: 0, failing_mails: 0 })
})
