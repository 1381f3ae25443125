import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { createKeywordRepository } from '#data/keywords/keywords.ts'
import { signIn } from '#testing/accounts.ts'
import { makeJob } from '#testing/jobs.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { countJobs } from '#testing/stored-work.ts'

let server: TestServer
let admin: SignedInUser
let superAdmin: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  admin = await server.createSignedIn({ role: 'admin' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})

const profileStatus = async (token: string) => (await server.call(api.profile.get, { token })).status

describe('takes effect on the next request', () => {
  test('a change of role', async () => {
    const { email, password, id, accessToken } = await server.createSignedIn()
    const body = { role: 'admin' as const }
    const changed = await server.call(api.admin.setRole, { params: { id }, body, token: admin.accessToken })
    expect(changed.data.user.role).toBe('admin')
    expect(await profileStatus(accessToken)).toBe(401)
    const { access_token: token } = await signIn(server, { email, password })
    expect((await server.call(api.admin.stats, { token })).status).toBe(200)
    await server.call(api.admin.setRole, { params: { id }, body: { role: 'user' }, token: admin.accessToken })
    expect((await server.call(api.admin.stats, { token })).status).toBe(401)
  })

  test('a deactivation', async () => {
    const { id, email, password, accessToken, refreshToken } = await server.createSignedIn()
    const set = (isActive: boolean) =>
      server.call(api.admin.setStatus, { params: { id }, body: { is_active: isActive }, token: admin.accessToken })
    expect((await set(false)).data.user.is_active).toBe(false)
    expect(await profileStatus(accessToken)).toBe(401)
    expect((await server.call(api.auth.refresh, { body: { refresh_token: refreshToken } })).status).toBe(401)
    expect((await server.call(api.auth.signIn, { body: { email, password } })).error.code).toBe('account_deactivated')
    await set(true)
    await signIn(server, { email, password })
  })

  test('a deactivation, on what the user left behind: sessions and jobs', async () => {
    const { queue } = server.services.work
    const { id, accessToken } = await server.createSignedIn()
    await makeJob(queue, { ownerId: id })
    const set = (isActive: boolean) =>
      server.call(api.admin.setStatus, { params: { id }, body: { is_active: isActive }, token: admin.accessToken })
    await set(true)
    expect(await profileStatus(accessToken)).toBe(200)
    expect(await countJobs(queue, { ownerId: id, state: 'queued' })).toBe(1)
    await set(false)
    expect(await server.services.sessions.list(id)).toEqual([])
    expect(await countJobs(queue, { ownerId: id, state: 'queued' })).toBe(0)
  })

  test('a revocation', async () => {
    const { id, accessToken } = await server.createSignedIn()
    expect((await server.call(api.admin.revokeSessions, { params: { id }, token: admin.accessToken })).status).toBe(200)
    expect(await profileStatus(accessToken)).toBe(401)
  })
})

describe('admins', () => {
  test('cannot change super admins', async () => {
    const params = { id: superAdmin.id }
    const token = admin.accessToken
    const answers = await Promise.all([
      server.call(api.admin.setRole, { params, body: { role: 'user' }, token }),
      server.call(api.admin.setStatus, { params, body: { is_active: false }, token }),
      server.call(api.admin.revokeSessions, { params, token }),
      server.call(api.admin.unlockUser, { params, token }),
      server.call(api.admin.deleteUser, { params, token }),
    ])
    for (const { status, error } of answers) {
      expect([status, error.error]).toEqual([403, message('super-admin-untouchable')])
    }
    expect(await profileStatus(superAdmin.accessToken)).toBe(200)
  })

  test('cannot assign super_admin', async () => {
    const { id } = await server.createUser()
    const body = { role: 'super_admin' } as never // what the contract forbids
    expect((await server.call(api.admin.setRole, { params: { id }, body, token: admin.accessToken })).status).toBe(400)
  })

  test('cannot deactivate or delete themselves', async () => {
    const params = { id: admin.id }
    const token = admin.accessToken
    const off = await server.call(api.admin.setStatus, { params, body: { is_active: false }, token })
    expect(off.error.code).toBe('conflict')
    expect((await server.call(api.admin.deleteUser, { params, token })).error.code).toBe('conflict')
  })

  test('find users by name, username and e-mail, ten per page', async () => {
    for (let n = 0; n < 12; n += 1)
      await server.createUser({ email: `page${n}.(x)@find.example`, username: `page.${n}` })
    const query = { search: '.(X)@FIND' }
    const { users, ...page } = (await server.call(api.admin.listUsers, { query, token: admin.accessToken })).data
    expect(users).toHaveLength(10)
    expect(page).toEqual({ total: 12, page: 1, per_page: 10, pages: 2 })
    const second = await server.call(api.admin.listUsers, { query: { ...query, page: 2 }, token: admin.accessToken })
    expect(second.data.users).toHaveLength(2)
  })

  test('count users', async () => {
    const before = (await server.call(api.admin.stats, { token: admin.accessToken })).data
    await server.createUser({ isActive: false, isVerified: false })
    const after = (await server.call(api.admin.stats, { token: admin.accessToken })).data
    expect(after).toEqual({ ...before, total_users: before.total_users + 1 })
  })

  test('see which session of a user is their own', async () => {
    const own = await server.call(api.admin.getUser, { params: { id: admin.id }, token: admin.accessToken })
    expect(own.data.sessions.map(({ current }) => current)).toEqual([true])
    const params = { id: superAdmin.id }
    const other = await server.call(api.admin.getUser, { params, token: admin.accessToken })
    expect(other.data.sessions.map(({ current }) => current)).toEqual([false])
  })

  test('get 404 for a user who does not exist', async () => {
    const answer = await server.call(api.admin.getUser, { params: { id: 'f'.repeat(24) }, token: admin.accessToken })
    expect(answer.error.code).toBe('not_found')
  })
})

describe('deleting a user', () => {
  test('removes sessions, keywords and the account', async () => {
    const user = await server.createSignedIn()
    const body = { threats: ['one'], sentiment: [], intent: [], custom: ['two'] }
    await server.call(api.keywords.replace, { body, token: user.accessToken })
    const removed = await server.call(api.admin.deleteUser, { params: { id: user.id }, token: admin.accessToken })
    expect(removed.status).toBe(200)
    expect(await profileStatus(user.accessToken)).toBe(401)
    expect(await createKeywordRepository(server.services.database.connection).list(user.id, 10)).toEqual([])
    const again = await server.call(api.admin.deleteUser, { params: { id: user.id }, token: admin.accessToken })
    expect(again.status).toBe(404)
  })

  test('never deletes a super admin through the admin panel', async () => {
    const other = await server.createUser({ role: 'super_admin' })
    const answer = await server.call(api.admin.deleteUser, { params: { id: other.id }, token: superAdmin.accessToken })
    expect(answer.status).toBe(403)
  })
})

describe('super admins', () => {
  test('create users of any role, filter by role and exclude themselves', async () => {
    const body = { email: 'made@example.org', username: 'made', password: 'Harvest-moon7', role: 'admin' as const }
    const created = await server.call(api.superAdmin.createUser, { body, token: superAdmin.accessToken })
    expect(created.status).toBe(201)
    expect(created.data.user).toMatchObject({ role: 'admin', is_verified: true, is_active: true })
    const taken = await server.call(api.superAdmin.createUser, { body, token: superAdmin.accessToken })
    expect(taken.error.error).toBe(message('signup-email-taken'))
    const query = { role: 'super_admin' as const, exclude_self: 'true' as const, per_page: 100 }
    const { users } = (await server.call(api.superAdmin.listUsers, { query, token: superAdmin.accessToken })).data
    expect(users.every(({ role, id }) => role === 'super_admin' && id !== superAdmin.id)).toBe(true)
  })

  test('reset a password, which must then be changed before anything else', async () => {
    const user = await server.createSignedIn()
    const body = { new_password: 'Given-harvest8!' }
    const params = { id: user.id }
    expect(
      (await server.call(api.superAdmin.resetPassword, { params, body, token: superAdmin.accessToken })).status,
    ).toBe(200)
    expect(await profileStatus(user.accessToken)).toBe(401)
    const { access_token: token, user: seen } = await signIn(server, { email: user.email, password: 'Given-harvest8!' })
    expect(seen.must_change_password).toBe(true)
    const blocked = await server.call(api.keywords.list, { token })
    expect([blocked.status, blocked.error.code]).toEqual([403, 'password_change_required'])
    const change = { current_password: 'Given-harvest8!', new_password: 'Chosen-harvest8!' }
    const changed = await server.call(api.profile.changePassword, { body: change, token })
    expect(changed.data.user.must_change_password).toBe(false)
    expect((await server.call(api.profile.getNotifications, { token: changed.data.access_token })).status).toBe(200)
  })
})
