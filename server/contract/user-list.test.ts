import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { complaints, id, textOf } from './testing/inputs.ts'
import { BulkUserAction, UserFilters, UserPage, UserSession } from './user-list.ts'

const Filters = z.object(UserFilters)
const moment = '2026-01-02T03:04:05.000Z'
const person = {
  id,
  first_name: 'Nadia',
  last_name: 'Khan',
  username: 'nadia',
  email: 'nadia@example.org',
  role: 'user',
}

describe('a list of users', () => {
  test('is complete, the newest first', () => {
    expect(Filters.parse({})).toEqual({
      search: '',
      state: '',
      role: '',
      inactive_days: 0,
      sort: 'created_at',
      order: 'desc',
    })
  })

  test.each([
    ...['active', 'inactive', 'verified', 'unverified', 'with_2fa', 'without_2fa'].map((state) => ({ state })),
    ...['user', 'admin', 'super_admin', 'all'].map((role) => ({ role })),
    ...['created_at', 'name', 'email', 'role', 'last_login'].map((sort) => ({ sort })),
    { order: 'asc' },
    { search: textOf(200) },
  ])('is narrowed and sorted by %o', (choice) => {
    expect(Filters.parse(choice)).toMatchObject(choice)
  })

  test('is searched without the blanks around a word, and takes days as digits', () => {
    expect(Filters.parse({ search: ' nadia ', inactive_days: '3650' })).toMatchObject({
      search: 'nadia',
      inactive_days: 3650,
    })
  })

  test.each([
    [{ search: textOf(201) }, ['Search is too long']],
    [{ state: 'locked' }, ['State is not valid']],
    [{ inactive_days: '-1' }, ['Inactive days is too small']],
    [{ inactive_days: '3651' }, ['Inactive days is too large']],
    [{ inactive_days: '1.5' }, ['Inactive days is not valid']],
    [{ sort: 'age' }, ['Sort is not valid']],
    [{ order: 'up' }, ['Order is not valid']],
  ])('refuses %o', (choice, sentences) => {
    expect(complaints(Filters, choice)).toEqual(sentences)
  })
})

test('many users at once are switched on or off, signed out, made users or admins, or deleted', () => {
  expect(BulkUserAction.options).toEqual([
    'activate',
    'deactivate',
    'revoke_sessions',
    'make_user',
    'make_admin',
    'delete',
  ])
})

test('a session comes with the person it belongs to, and nothing else of them', () => {
  const session = {
    id,
    ip_address: '10.0.0.1',
    user_agent: 'Firefox',
    created_at: moment,
    last_used: moment,
    expires_at: moment,
    current: false,
  }
  expect(UserSession.parse({ ...session, user: { ...person, has_password: true } })).toEqual({
    ...session,
    user: person,
  })
})

test('a page has users as the API presents them', () => {
  const user = {
    ...person,
    is_active: true,
    is_verified: true,
    two_factor_enabled: false,
    two_factor_grace: false,
    two_factor_due: null,
    printed_codes_left: null,
    must_change_password: false,
    has_password: true,
    has_passkey: false,
    created_at: moment,
    last_login: null,
  }
  const page = { users: [user], total: 1, page: 1, per_page: 10, pages: 1 }
  expect(UserPage.parse({ ...page, users: [{ ...user, password_hash: 'x' }] })).toEqual(page)
})
