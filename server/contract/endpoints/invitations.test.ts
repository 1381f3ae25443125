import { describe, expect, test } from 'vitest'
import { complaints, id, textOf } from '../testing/inputs.ts'
import { invitations } from './invitations.ts'

const moment = '2026-01-02T03:04:05.000Z'

test('all invitations are listed, ten per page, unless a state narrows them', () => {
  const { query } = invitations.list
  expect(query.parse({})).toEqual({ page: 1, per_page: 10, search: '', state: '' })
  for (const state of ['pending', 'accepted', 'expired', 'revoked']) {
    expect(query.parse({ state, search: ` ${textOf(200)} ` })).toMatchObject({ state, search: textOf(200) })
  }
  expect(complaints(query, { search: textOf(201) })).toEqual(['Search is too long'])
  expect(query.safeParse({ state: 'lost' }).success).toBe(false)
})

describe('an invitation', () => {
  const { body, response } = invitations.create

  test('is for a user without a name, for a week', () => {
    expect(body.parse({ email: ' Nadia@example.org' })).toEqual({
      email: 'nadia@example.org',
      first_name: '',
      last_name: '',
      role: 'user',
      days: 7,
    })
  })

  test.each([
    [{ days: 1 }, []],
    [{ days: 30, role: 'super_admin' }, []],
    [{ days: 0 }, ['Days is too small']],
    [{ days: 31 }, ['Days is too large']],
    [{ days: 1.5 }, ['Days is not valid']],
    [{ first_name: textOf(101) }, ['First name is too long']],
    [{ role: 'guest' }, ['Role is not valid']],
    [{ email: 'nadia' }, ['Please enter a valid email address']],
  ])('with %o', (change, sentences) => {
    expect(complaints(body, { email: 'nadia@example.org', ...change })).toEqual(sentences)
  })

  test('is shown without its link', () => {
    const invitation = {
      id,
      email: 'nadia@example.org',
      first_name: '',
      last_name: '',
      role: 'user',
      state: 'pending',
      invited_by: 'Root',
      created_at: moment,
      sent_at: moment,
      expires_at: moment,
      accepted_at: null,
    }
    expect(response.parse({ invitation: { ...invitation, token: 'secret' } })).toEqual({ invitation })
  })
})

describe('a file of people', () => {
  test.each([
    ['', ['The file is empty']],
    ['email', []],
    [textOf(1_000_000), []],
    [textOf(1_000_001), ['The file must be at most 1 MB']],
  ])('%#', (csv, sentences) => {
    expect(complaints(invitations.previewImport.body, { csv })).toEqual(sentences)
    expect(complaints(invitations.import.body, { csv })).toEqual(sentences)
  })

  test('invites for a week, or up to a month', () => {
    expect(invitations.import.body.parse({ csv: 'email' })).toEqual({ csv: 'email', days: 7 })
    expect(complaints(invitations.import.body, { csv: 'email', days: 31 })).toEqual(['Days is too large'])
  })

  test('is shown row by row, with what is wrong', () => {
    const row = { line: 2, email: 'x', first_name: '', last_name: '', role: 'user', errors: ['Not an address'] }
    const preview = { rows: [row], good: 0, bad: 1 }
    expect(invitations.previewImport.response.parse(preview)).toEqual(preview)
    expect(invitations.import.response.parse({ invited: 3 })).toEqual({ invited: 3 })
  })
})

describe('an invited person', () => {
  const { check, accept } = invitations
  const given = { token: 't', username: 'nadia', password: 'x' }

  test('is asked for a username and a password', () => {
    expect(accept.body.parse(given)).toEqual({ ...given, first_name: '', last_name: '' })
    expect(complaints(accept.body, { token: '', username: '', password: '' })).toEqual([
      'Token is too short',
      'Username is required',
      'Password is required',
    ])
  })

  test.each([
    [{ token: textOf(512), password: textOf(1024) }, []],
    [{ token: textOf(513) }, ['Token is too long']],
    [{ password: textOf(1025) }, ['Password is too long']],
    [{ last_name: textOf(101) }, ['Last name is too long']],
  ])('may send so much: %#', (change, sentences) => {
    expect(complaints(accept.body, { ...given, ...change })).toEqual(sentences)
  })

  test('sees who invited them, as whom, and until when', () => {
    const shown = {
      email: 'nadia@example.org',
      first_name: 'Nadia',
      last_name: '',
      role: 'admin',
      invited_by: 'Root',
      expires_at: moment,
    }
    expect(check.response.parse(shown)).toEqual(shown)
    expect(complaints(check.body, { token: '' })).toEqual(['Token is too short'])
  })
})
