import { describe, expect, test } from 'vitest'
import { complaints, id, textOf } from '../testing/inputs.ts'
import { cases } from './cases.ts'

const { list, create, update, setMember, listRecordings, addRecordings } = cases

describe('the list of cases', () => {
  test("has the user's own, ten per page", () => {
    expect(list.query.parse({})).toEqual({ page: 1, per_page: 10, scope: 'mine', search: '', can_add: false })
  })

  test('is narrowed by name, and to those that take recordings', () => {
    expect(list.query.parse({ scope: 'all', search: ' border ', can_add: 'true' })).toMatchObject({
      scope: 'all',
      search: 'border',
      can_add: true,
    })
  })

  test.each([
    [{ scope: 'other' }, 'Scope is not valid'],
    [{ search: textOf(201) }, 'Search is too long'],
    [{ can_add: 'perhaps' }, 'Can add is not valid'],
  ])('refuses %o', (query, sentence) => {
    expect(complaints(list.query, query)).toEqual([sentence])
  })
})

describe('a new case', () => {
  test('is teal and has no notes', () => {
    expect(create.body.parse({ name: ' Border ' })).toEqual({ name: 'Border', colour: 'teal', notes: '' })
  })

  test('has a name of up to 120 characters, one of six colours, and notes of up to 20,000 characters', () => {
    const full = { name: textOf(120), notes: textOf(20_000) }
    for (const colour of ['teal', 'slate', 'rose', 'plum', 'moss', 'clay']) {
      expect(create.body.parse({ ...full, colour })).toEqual({ ...full, colour })
    }
  })

  test.each([
    [{ name: ' ' }, 'Please enter a name'],
    [{ name: textOf(121) }, 'A name must be at most 120 characters'],
    [{ name: 'a', colour: 'red' }, 'Colour is not valid'],
    [{ name: 'a', notes: textOf(20_001) }, 'Notes must be at most 20,000 characters'],
  ])('is refused: %#', (body, sentence) => {
    expect(complaints(create.body, body)).toEqual([sentence])
    expect(complaints(update.body, body)).toEqual([sentence])
  })
})

test('a case changes in what is sent', () => {
  expect(update.body.parse({})).toEqual({})
  expect(update.body.parse({ colour: 'rose' })).toEqual({ colour: 'rose' })
})

test('a member is named by address, and reads or corrects', () => {
  expect(setMember.body.parse({ email: 'Nadia@example.org', role: 'view' })).toEqual({
    email: 'nadia@example.org',
    role: 'view',
  })
  expect(setMember.body.parse({ email: 'a@example.org', role: 'edit' })).toMatchObject({ role: 'edit' })
  expect(complaints(setMember.body, { email: 'nadia', role: 'owner' })).toEqual([
    'Please enter a valid email address',
    'Role is not valid',
  ])
})

test('recordings of a case come ten per page, and are added by a selection', () => {
  expect(listRecordings.query.parse({})).toEqual({ page: 1, per_page: 10 })
  expect(addRecordings.body.parse({ selection: { ids: [id] } })).toEqual({ selection: { ids: [id] } })
  expect(addRecordings.response.parse({ added: 1, ids: [id] })).toEqual({ added: 1, ids: [id] })
  expect(complaints(addRecordings.body, {})).toEqual(['Selection is required'])
})

describe('what is answered', () => {
  const person = { id, name: 'Nadia' }
  const moment = '2026-01-02T03:04:05.000Z'
  const small = { id, name: 'Border', colour: 'teal', role: 'owner', member_count: 1 }
  const whole = { ...small, owner: person, recording_count: 0, created_at: moment, updated_at: moment }
  const member = { ...person, email: 'nadia@example.org', role: 'owner', is_active: true, added_at: moment }

  test('a case has its members', () => {
    const invitee = { id, email: 'guest@example.org', role: 'view', is_expired: false, added_at: member.added_at }
    const details = { ...whole, notes: null, members: [member], invitees: [invitee] }
    expect(create.response.parse(details)).toEqual(details)
  })

  test('a list has cases without their members', () => {
    const page = { cases: [whole], total: 1, page: 1, per_page: 10, pages: 1 }
    expect(list.response.parse(page)).toEqual(page)
  })

  test('of a recording, a case has its name, its colour and the role of the caller', () => {
    expect(cases.ofRecording.response.parse({ cases: [whole] })).toEqual({ cases: [small] })
  })
})
