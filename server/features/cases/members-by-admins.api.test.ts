import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { MemberRole } from '#contract/cases.ts'
import { mailsTo, newestMail } from '#testing/accounts.ts'
import { addRecordingsToCase } from '#data/cases/case-recordings.ts'
import { setMember } from '#data/cases/members.ts'
import { newId } from '#data/ids.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

// Administrators who add a second account of theirs to a case could read its contents.

const { cases } = api
const overFiveMinutesMs = 5 * 60_000 + 1000
const told = 'An administrator added somebody to your case'

let server: TestServer
let owner: SignedInUser
let member: SignedInUser
let second: SignedInUser
let admin: SignedInUser
let superAdmin: SignedInUser
let params: { id: string }

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await server.createSignedIn()
  member = await server.createSignedIn()
  second = await server.createSignedIn()
  admin = await server.createSignedIn({ role: 'admin' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
  const { data } = await server.call(cases.create, { token: owner.accessToken, body: { name: 'Bridge' } })
  params = { id: data.id }
  await set(member, { by: owner })
})

function set({ email }: { email: string }, { by, role = 'view' }: { by: SignedInUser; role?: MemberRole }) {
  return server.call(cases.setMember, { token: by.accessToken, params, body: { email, role } })
}

async function subjectsTo(...users: SignedInUser[]) {
  const mails = await Promise.all(users.map(({ email }) => mailsTo(server, email)))
  return mails.map((list) => list.map(({ subject }) => subject))
}

describe('an admin who is no member', () => {
  test('adds nobody, and is not told who has an account', async () => {
    const answers = [await set(second, { by: admin }), await set({ email: 'nobody@example.org' }, { by: admin })]
    expect(answers.map(({ error }) => error.error)).toEqual(
      answers.map(() => 'The owner of a case and super admins add members'),
    )
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    const read = { token: second.accessToken, params }
    expect((await server.call(cases.get, read)).error.code).toBe('not_found')
  })

  test('changes the role of a member, and removes one for good', async () => {
    expect((await set(member, { by: admin, role: 'edit' })).status).toBe(200)
    const removal = { token: admin.accessToken, params: { ...params, user_id: member.id } }
    expect((await server.call(cases.removeMember, removal)).status).toBe(200)
    expect((await set(member, { by: admin })).error.code).toBe('forbidden')
  })

  test.each(['view', 'edit'] as const)('adds nobody as a member with "%s" either', async (role) => {
    await set(admin, { by: owner, role })
    expect((await set(second, { by: admin, role: 'edit' })).error.code).toBe('forbidden')
    expect((await set(member, { by: admin, role: 'edit' })).status).toBe(200)
  })

  test.each<[string, (by: SignedInUser) => Promise<{ status: number; error: { code: string } }>]>([
    ['changing a role', (by) => set(member, { by, role: 'edit' })],
    [
      'removing a member',
      ({ accessToken: token }) => server.call(cases.removeMember, { token, params: { ...params, user_id: member.id } }),
    ],
    [
      "taking out another's recording",
      async ({ accessToken: token }) => {
        const { connection } = server.services.database
        const recordingId = newId()
        await addRecordingsToCase(connection, { caseId: params.id, ownerId: member.id, recordingIds: [recordingId] })
        return server.call(cases.removeRecording, { token, params: { ...params, recording_id: recordingId } })
      },
    ],
    ['deleting a case', ({ accessToken: token }) => server.call(cases.remove, { token, params })],
  ])('confirms password and second factor before %s, which its owner does not', async (_, act) => {
    server.clock.advance(overFiveMinutesMs)
    expect((await act(admin)).error.code).toBe('password_confirmation_required')
    expect((await act(owner)).status).toBe(200)
  })

  test('confirms nothing where nothing changes hands: the own role stays forbidden', async () => {
    await set(admin, { by: owner })
    expect((await set(admin, { by: admin, role: 'edit' })).error.code).toBe('forbidden')
  })
})

test('a change of a role does not bring back a member who was removed in that moment', async () => {
  const change = { userId: second.id, email: second.email, role: 'edit' as const, maxMembers: 50, mayAdd: false }
  expect(await setMember(server.services.database.connection, params.id, change)).toBe('removed')
  const read = { token: second.accessToken, params }
  expect((await server.call(cases.get, read)).error.code).toBe('not_found')
})

describe('a super admin who is a member', () => {
  test('confirms that they add somebody, which owner and members are told', async () => {
    await set(superAdmin, { by: owner })
    expect((await set(second, { by: superAdmin })).status).toBe(200)
    expect(await subjectsTo(owner, member)).toEqual([[told], [told]])
    server.clock.advance(overFiveMinutesMs)
    const third = await server.createUser()
    expect((await set(third, { by: superAdmin })).error.code).toBe('password_confirmation_required')
  })
})

describe('a super admin who is no member', () => {
  test('adds somebody, which owner and members are told, and the audit trail has', async () => {
    expect((await set(second, { by: superAdmin })).status).toBe(200)
    for (const { email } of [owner, member]) {
      const { text } = await newestMail(server, email, told)
      expect(text).toContain(`Added: ${second.email}. Done by: ${superAdmin.email}.`)
      expect(text).toContain(`/cases?case=${params.id}`)
      expect(text).not.toContain('Bridge')
    }
    expect(await subjectsTo(second)).toEqual([[]])
    const query = { search: params.id, action: 'case.member_add' }
    const { data } = await server.call(api.admin.audit, { token: admin.accessToken, query })
    expect(data.events[0]).toMatchObject({
      actor: superAdmin.email,
      details: `${second.email}: view, by a super admin who is not the owner`,
    })
  })

  test('tells nobody of a role, nor of a member who is there already', async () => {
    expect((await set(member, { by: superAdmin, role: 'edit' })).status).toBe(200)
    expect((await set(member, { by: superAdmin, role: 'edit' })).status).toBe(200)
    expect(await subjectsTo(owner)).not.toContainEqual(expect.arrayContaining([told]))
  })

  test('confirms password and second factor before, which the owner does not', async () => {
    server.clock.advance(overFiveMinutesMs)
    expect((await set(second, { by: superAdmin })).error.code).toBe('password_confirmation_required')
    const body = { password: superAdmin.password }
    const confirmed = await server.call(api.profile.confirmPassword, { token: superAdmin.accessToken, body })
    const by = { ...superAdmin, accessToken: confirmed.data.access_token }
    expect((await set(second, { by })).status).toBe(200)
    const third = await server.createUser()
    expect((await set(third, { by: owner })).status).toBe(200)
  })

  test('cannot become a member', async () => {
    expect((await set(superAdmin, { by: superAdmin })).error.code).toBe('forbidden')
  })
})
