import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { BulkUserAction } from '#contract/user-list.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
let admin: SignedInUser
let superAdmin: SignedInUser
let users: SignedInUser[]
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  admin = await server.createSignedIn({ role: 'admin' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
  users = await Promise.all([server.createSignedIn(), server.createSignedIn()])
})

async function runBulk(actor: SignedInUser, action: BulkUserAction, targets: { id: string }[]) {
  const body = { action, ids: targets.map(({ id }) => id) }
  return (await server.call(api.admin.bulkUsers, { body, token: actor.accessToken })).data
}

async function auditedTargets(action: string): Promise<(string | null)[]> {
  const query = { action, per_page: 100 }
  const { events } = (await server.call(api.admin.audit, { query, token: superAdmin.accessToken })).data
  return events.map(({ target }) => target)
}

const find = ({ id }: { id: string }) => server.services.users.findById(id)
const profileStatus = async ({ accessToken: token }: SignedInUser) =>
  (await server.call(api.profile.get, { token })).status

test('deactivates and activates several users, ends their sessions and audits each', async () => {
  expect(await runBulk(admin, 'deactivate', users)).toEqual({ done: 2, failed: [] })
  for (const user of users) {
    expect(await profileStatus(user)).toBe(401)
    expect(await auditedTargets('admin.deactivate')).toContain(user.email)
  }
  expect(await runBulk(admin, 'activate', users)).toEqual({ done: 2, failed: [] })
  for (const user of users) {
    expect((await find(user))?.isActive).toBe(true)
    expect(await auditedTargets('admin.activate')).toContain(user.email)
  }
})

test('ends the sessions of several users', async () => {
  expect(await runBulk(admin, 'revoke_sessions', users)).toEqual({ done: 2, failed: [] })
  for (const user of users) {
    expect(await profileStatus(user)).toBe(401)
    expect(await auditedTargets('admin.revoke_sessions')).toContain(user.email)
  }
})

test('changes roles to admin and user, and to no other', async () => {
  expect(await runBulk(admin, 'make_admin', users)).toEqual({ done: 2, failed: [] })
  for (const user of users) expect((await find(user))?.role).toBe('admin')
  expect(await runBulk(admin, 'make_user', users)).toEqual({ done: 2, failed: [] })
  for (const user of users) expect((await find(user))?.role).toBe('user')
  expect(await auditedTargets('admin.role')).toEqual(expect.arrayContaining(users.map(({ email }) => email)))
  const body = { action: 'make_super_admin' as never, ids: users.map(({ id }) => id) } // what the contract forbids
  const refused = await server.call(api.admin.bulkUsers, { body, token: superAdmin.accessToken })
  expect(refused.error.code).toBe('invalid_input')
})

test('deletes several users with what is theirs', async () => {
  expect(await runBulk(admin, 'delete', users)).toEqual({ done: 2, failed: [] })
  for (const user of users) {
    expect(await find(user)).toBeUndefined()
    expect(await auditedTargets('admin.delete')).toContain(user.email)
  }
})

test('names whom an admin may not change, with the reason, and changes the others', async () => {
  const gone = 'f'.repeat(24)
  const targets = [superAdmin, users[0], admin, { id: gone }, users[1]].filter((target) => target !== undefined)
  const superAdminRule = { id: superAdmin.id, email: superAdmin.email, error: message('super-admin-untouchable') }
  const missing = { id: gone, email: '', error: 'User not found' }
  const itself = (error: string) => ({ id: admin.id, email: admin.email, error })
  expect(await runBulk(admin, 'deactivate', targets)).toEqual({
    done: 2,
    failed: [superAdminRule, itself('You cannot deactivate your own account'), missing],
  })
  expect(await runBulk(admin, 'make_user', targets)).toEqual({
    done: 2,
    failed: [superAdminRule, itself(message('own-role')), missing],
  })
  expect(await runBulk(admin, 'delete', targets)).toEqual({
    done: 2,
    failed: [superAdminRule, itself('You cannot delete your own account'), missing],
  })
  expect((await find(superAdmin))?.isActive).toBe(true)
})

test('a super admin who selected everybody keeps the own account, also where others remain', async () => {
  const other = await server.createSignedIn({ role: 'super_admin' })
  const { done, failed } = await runBulk(superAdmin, 'delete', [superAdmin, other])
  expect([done, failed.map(({ id }) => id)]).toEqual([1, [superAdmin.id]])
  expect(await find(other)).toBeUndefined()
  expect(await profileStatus(superAdmin)).toBe(200)
})

test('runs once for an id that is named twice', async () => {
  const [user] = users
  if (!user) throw new Error('There is no user')
  const before = (await auditedTargets('admin.deactivate')).length
  expect(await runBulk(admin, 'deactivate', [user, user])).toEqual({ done: 1, failed: [] })
  expect((await auditedTargets('admin.deactivate')).length - before).toBe(1)
})

test('goes on after an error that nobody expected, and tells the log alone what it was', async () => {
  const endAll = vi.spyOn(server.services.sessions, 'endAll')
  endAll.mockRejectedValueOnce(new Error('the cable was cut'))
  const { done, failed } = await runBulk(admin, 'revoke_sessions', users)
  endAll.mockRestore()
  expect(done).toBe(1)
  expect(failed).toEqual([
    { id: users[0]?.id, email: users[0]?.email, error: 'Something went wrong on the server. Please try again later.' },
  ])
  expect(server.logLines.some((line) => line.includes('the cable was cut'))).toBe(true)
})

test('takes 1 to 200 ids', async () => {
  const send = (ids: string[]) =>
    server.call(api.admin.bulkUsers, { body: { action: 'activate', ids }, token: admin.accessToken })
  expect((await send([])).error.code).toBe('invalid_input')
  expect((await send(['nobody'])).error.code).toBe('invalid_input')
  const many = Array.from({ length: 201 }, (_, n) => n.toString(16).padStart(24, '0'))
  expect((await send(many)).error.code).toBe('invalid_input')
  expect((await send(many.slice(1))).data.failed).toHaveLength(200)
})
