import { describe, expect, test } from 'vitest'
import type { EndpointSpec } from '../endpoint.ts'
import { complaints, id, many, textOf } from '../testing/inputs.ts'
import { admin, superAdmin } from './admin.ts'

/** Accounts specification, section 3: "page (default 1), per_page (default 10), search, role, exclude_self". */
const anyUsers = {
  page: 1,
  per_page: 10,
  search: '',
  state: '',
  role: '',
  inactive_days: 0,
  sort: 'created_at',
  order: 'desc',
}

describe('a list of users', () => {
  test('has ten per page, the newest first, and all of them', () => {
    expect(admin.listUsers.query.parse({})).toEqual(anyUsers)
    expect(superAdmin.listUsers.query.parse({})).toEqual({ ...anyUsers, exclude_self: false })
    const { page: _, per_page: __, ...all } = anyUsers
    expect(admin.usersCsv.query.parse({})).toEqual(all)
  })

  test.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
    ['', false],
  ])('exclude_self=%s', (exclude_self, isExcluded) => {
    expect(superAdmin.listUsers.query.parse({ exclude_self })).toMatchObject({ exclude_self: isExcluded })
  })

  test('refuses another word for leaving oneself out', () => {
    expect(complaints(superAdmin.listUsers.query, { exclude_self: 'yes' })).toEqual(['Exclude self is not valid'])
  })
})

describe('the sessions of all users', () => {
  test('are searched, ten per page', () => {
    expect(admin.listSessions.query.parse({ search: ' nadia ' })).toEqual({ page: 1, per_page: 10, search: 'nadia' })
  })
})

describe('the audit trail', () => {
  const all = { search: '', action: '', outcome: '' }

  test('is complete unless it is narrowed, also as a file', () => {
    expect(admin.audit.query.parse({})).toEqual({ page: 1, per_page: 10, ...all })
    expect(admin.auditCsv.query.parse({})).toEqual(all)
  })

  test.each(['success', 'failure', 'denied', 'unsuccessful'])('is narrowed to %s', (outcome) => {
    expect(admin.audit.query.parse({ outcome, from: '2026-01-02T03:04:05Z' })).toMatchObject({ outcome })
  })

  test.each([
    [{ search: textOf(201) }, 'Search is too long'],
    [{ action: textOf(101) }, 'Action is too long'],
    [{ outcome: 'other' }, 'Outcome is not valid'],
    [{ from: 'yesterday' }, 'From is not valid'],
  ])('refuses %o', (query, sentence) => {
    expect(complaints(admin.audit.query, query)).toEqual([sentence])
    expect(complaints(admin.auditCsv.query, query)).toEqual([sentence])
  })
})

test('a user created by a super admin is a verified and active user', () => {
  const given = { email: 'nadia@example.org', username: 'nadia', password: 'x', first_name: 'Nadia', last_name: 'Khan' }
  const { body } = superAdmin.createUser
  expect(body.parse(given)).toEqual({ ...given, role: 'user', is_verified: true, is_active: true })
  const other = { ...given, role: 'super_admin', is_verified: false, is_active: false }
  expect(body.parse(other)).toEqual(other)
})

test.each<[string, EndpointSpec, unknown, string]>([
  ['a role that only super admins give', admin.setRole, { role: 'super_admin' }, 'Role is not valid'],
  ['an unknown role', superAdmin.setRole, { role: 'root' }, 'Role is not valid'],
  ['no status', admin.setStatus, {}, 'Is active is required'],
  ['no reason', admin.resetTwoFactor, { reason: '  a' }, 'Please give a reason'],
  ['a long reason', admin.resetTwoFactor, { reason: textOf(301) }, 'Reason must be at most 300 characters'],
  ['a long password', superAdmin.resetPassword, { new_password: textOf(1025) }, 'New password is too long'],
  ['a long name', admin.updateUser, { first_name: textOf(201) }, 'First name is too long'],
  ['nobody', admin.bulkUsers, { ids: [], action: 'delete' }, 'Ids is too short'],
  ['201 users', admin.bulkUsers, { ids: many(201, id), action: 'delete' }, 'Ids is too long'],
  ['an unknown action', admin.bulkUsers, { ids: [id], action: 'promote' }, 'Action is not valid'],
  ['no address for a test', superAdmin.testMail, { to: 'nadia' }, 'Please enter a valid email address'],
])('%s is refused', (_, { body }, input, sentence) => {
  expect(body && complaints(body, input)).toEqual([sentence])
})

test.each<[string, EndpointSpec, unknown]>([
  ['the role user', admin.setRole, { role: 'user' }],
  ['the role admin', admin.setRole, { role: 'admin' }],
  ['any role from a super admin', superAdmin.setRole, { role: 'super_admin' }],
  ['a deactivation', admin.setStatus, { is_active: false }],
  ['a short reason', admin.resetTwoFactor, { reason: 'abc' }],
  ['a reason of 300 characters', admin.resetTwoFactor, { reason: textOf(300) }],
  ['a password', superAdmin.resetPassword, { new_password: textOf(1024), open_library: true, address: 'present' }],
  [
    'all of a user',
    admin.updateUser,
    { first_name: textOf(200), last_name: '', username: 'nadia', email: 'nadia@example.org' },
  ],
  ['200 users', admin.bulkUsers, { ids: many(200, id), action: 'make_admin' }],
  ['an address for a test', superAdmin.testMail, { to: 'nadia@example.org' }],
])('%s is accepted', (_, { body }, input) => {
  expect(body?.parse(input)).toEqual(input)
})

test('a test mail goes to the caller unless it names somebody', () => {
  expect(superAdmin.testMail.body.parse(undefined)).toEqual({})
})

test.each<[string, EndpointSpec, object]>([
  [
    'the overview',
    admin.overview,
    {
      total_users: 9,
      active_users: 8,
      inactive_users: 1,
      unverified_users: 2,
      users_without_2fa: 3,
      dormant_users: 4,
      pending_invitations: 5,
      open_sessions: 6,
      failed_sign_ins: 7,
      waiting_mails: 0,
      failing_mails: 0,
    },
  ],
  ['an action on many', admin.bulkUsers, { done: 1, failed: [{ id, email: 'a@example.org', error: 'Not found' }] }],
  ['the outbox', superAdmin.outbox, { mails: [], is_smtp_configured: false }],
])('%s is answered in full', (_, { response }, answer) => {
  expect(response.parse(answer)).toEqual(answer)
})
