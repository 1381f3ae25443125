import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { MemberRole } from '#contract/cases.ts'
import { caseModel } from '#data/cases/case-model.ts'
import { newId } from '#data/ids.ts'
import { mailsTo, newestMail } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

// People who are added to a case while they have an invitation but no account yet.

const { cases } = api
const password = 'Harvest-moon7'
const dayMs = 24 * 60 * 60_000

let server: TestServer
let owner: SignedInUser
let admin: SignedInUser
let superAdmin: SignedInUser
let params: { id: string }
let email: string

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await server.createSignedIn()
  admin = await server.createSignedIn({ role: 'admin' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
  const { data } = await server.call(cases.create, { token: owner.accessToken, body: { name: 'Bridge' } })
  params = { id: data.id }
  email = `${newId()}@example.org`
})

async function invite(): Promise<string> {
  const body = { email }
  const { data } = await server.call(api.invitations.create, { token: admin.accessToken, body })
  return data.invitation.id
}

function set({ by = owner, role = 'view' }: { by?: SignedInUser; role?: MemberRole } = {}) {
  return server.call(cases.setMember, { token: by.accessToken, params, body: { email, role } })
}

async function accept() {
  const { token } = await newestMail(server, email, 'You are invited')
  return server.call(api.invitations.accept, { body: { token, username: `u${email.slice(0, 24)}`, password } })
}

/** Signs in to the account with this address and returns the token. */
async function signIn(): Promise<string> {
  const user = await server.services.users.findByEmail(email)
  const origin = { ip: '192.0.2.1', userAgent: 'test', requestId: 'test' }
  const start = { userId: user?.id ?? '', isRemembered: false, isBrowser: false, origin }
  return (await server.services.sessions.start(start)).accessToken
}

async function listOwn() {
  const { data } = await server.call(cases.list, { token: await signIn() })
  return data.cases
}

async function readAudit(action: string) {
  const query = { search: params.id, action }
  const { data } = await server.call(api.admin.audit, { query, token: superAdmin.accessToken })
  return data.events.map(({ details }) => details)
}

async function readCase({ accessToken: token } = owner) {
  return (await server.call(cases.get, { token, params })).data
}

test('who has an invitation becomes a member with the first sign-in, and reads nothing before', async () => {
  const id = await invite()
  const { status, data } = await set({ role: 'edit' })
  expect([status, data.member_count]).toEqual([200, 1])
  expect(data.invitees).toMatchObject([{ id, email, role: 'edit', is_expired: false }])
  expect((await accept()).status).toBe(201)
  expect(await listOwn()).toMatchObject([{ id: params.id, role: 'edit', member_count: 2 }])
  expect(await readCase()).toMatchObject({ invitees: [], members: [{ role: 'owner' }, { email, role: 'edit' }] })
  expect(await readAudit('case.member_invite')).toEqual([`${email}: edit`])
  expect(await readAudit('case.member_add')).toEqual([`${email}: edit, by invitation`])
})

test('an account that came in another way is admitted too; one that is not verified is not', async () => {
  await invite()
  await set()
  const user = await server.createUser({ email, isVerified: false })
  expect(await listOwn()).toEqual([])
  await server.services.users.update(user.id, { isVerified: true })
  expect(await listOwn()).toMatchObject([{ id: params.id, role: 'view' }])
})

test('whose invitation was revoked is neither shown nor admitted', async () => {
  const id = await invite()
  await set()
  await server.call(api.invitations.revoke, { params: { id }, token: admin.accessToken })
  expect((await readCase()).invitees).toEqual([])
  await server.createUser({ email })
  expect(await listOwn()).toEqual([])
})

test('an invitation that expired says so, and admits when it was sent again', async () => {
  const id = await invite()
  await set()
  server.clock.advance(8 * dayMs)
  const token = (await server.createSignedIn({ role: 'super_admin' })).accessToken
  const { data } = await server.call(cases.get, { token, params })
  expect(data.invitees).toMatchObject([{ id, is_expired: true }])
  await server.call(api.invitations.resend, { params: { id }, token })
  expect((await server.call(cases.get, { token, params })).data.invitees).toMatchObject([{ id, is_expired: false }])
  await accept()
  expect(await listOwn()).toMatchObject([{ id: params.id }])
})

test('the role is changed and the person removed before there is an account', async () => {
  const id = await invite()
  await set()
  expect((await set({ role: 'edit' })).data.invitees).toMatchObject([{ id, role: 'edit' }])
  const removal = { token: owner.accessToken, params: { ...params, user_id: id } }
  expect((await server.call(cases.removeMember, removal)).data.invitees).toEqual([])
  expect((await server.call(cases.removeMember, removal)).error.code).toBe('not_found')
  await accept()
  expect(await listOwn()).toEqual([])
  expect(await readAudit('case.member_remove')).toEqual([email])
})

test('an address without an account or an invitation is refused as before', async () => {
  const { status, error } = await set()
  expect([status, error.code, Object.keys(error.fields ?? {})]).toEqual([400, 'invalid_input', ['email']])
})

test('an admin who does not own the case changes a role, but adds nobody by an invitation of their own', async () => {
  const id = await invite()
  expect((await set({ by: admin })).error.code).toBe('forbidden')
  await set()
  expect((await set({ by: admin, role: 'edit' })).data.invitees).toMatchObject([{ id, role: 'edit' }])
  await server.call(api.invitations.revoke, { params: { id }, token: admin.accessToken })
  await invite()
  expect((await set({ by: admin })).error.code).toBe('forbidden')
  await accept()
  expect((await set({ by: admin })).error.code).toBe('forbidden')
  expect(await listOwn()).toEqual([])
})

test('a super admin who does not own the case adds one, and its owner is mailed', async () => {
  await invite()
  expect((await set({ by: superAdmin })).status).toBe(200)
  const subjects = (await mailsTo(server, owner.email)).map(({ subject }) => subject)
  expect(subjects).toContain('An administrator added somebody to your case')
  expect(await readAudit('case.member_invite')).toEqual([`${email}: view, by a super admin who is not the owner`])
})

test('nothing of the address stays in a case when its account is deleted', async () => {
  await invite()
  await set()
  const user = await server.createUser({ email, isVerified: false })
  await server.call(api.admin.deleteUser, { params: { id: user.id }, token: superAdmin.accessToken })
  const stored = await caseModel(server.services.database.connection).findById(params.id).lean()
  expect(JSON.stringify(stored)).not.toContain(email)
})
