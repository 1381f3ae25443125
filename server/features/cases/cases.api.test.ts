import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { maxCaseMembers, maxCaseRecordings, maxOwnCases, type MemberRole } from '#contract/cases.ts'
import { addRecordingToCase, listCaseRecordings } from '#data/cases/case-recordings.ts'
import { fillCase, fillWithCases, fillWithMembers } from '#testing/case-work.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'

const { cases } = api
const unknown = { id: 'f'.repeat(24) }

let server: TestServer
let owner: SignedInUser
let editor: SignedInUser
let viewer: SignedInUser
let outsider: SignedInUser
let admin: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createSignedIn()
  editor = await server.createSignedIn()
  viewer = await server.createSignedIn()
  outsider = await server.createSignedIn()
  admin = await server.createSignedIn({ role: 'admin' })
})
afterAll(() => server.close())

const connection = () => server.services.database.connection
const as = (user: SignedInUser) => ({ token: user.accessToken })

async function createCase(name = 'Bridge') {
  return (await server.call(cases.create, { ...as(owner), body: { name, colour: 'plum', notes: 'Who pays?' } })).data
}

function invite(id: string, user: { email: string }, role: MemberRole, by = owner) {
  return server.call(cases.setMember, { ...as(by), params: { id }, body: { email: user.email, role } })
}

/** Returns a case with a member of each role. */
async function createShared() {
  const { id } = await createCase()
  await invite(id, editor, 'edit')
  await invite(id, viewer, 'view')
  return { id, params: { id } }
}

async function addRecording(params: { id: string }, user: SignedInUser) {
  const recordingId = await uploadDialogue(server, user.accessToken)
  const body = { selection: { ids: [recordingId] } }
  expect((await server.call(cases.addRecordings, { ...as(user), params, body })).data.added).toBe(1)
  return recordingId
}

test('a case is created, listed, found by name and changed by its owner', async () => {
  const { id } = await createCase('Harbour')
  const listed = await server.call(cases.list, { ...as(owner), query: { search: 'harb' } })
  expect(listed.data).toMatchObject({
    total: 1,
    cases: [{ id, name: 'Harbour', colour: 'plum', role: 'owner', member_count: 1, recording_count: 0 }],
  })
  const body = { name: 'Port', colour: 'moss' as const, notes: '' }
  const changed = (await server.call(cases.update, { ...as(owner), params: { id }, body })).data
  expect(changed).toMatchObject({ ...body, members: [{ id: owner.id, role: 'owner', is_active: true }] })
  expect((await server.call(cases.create, { ...as(owner), body: { name: ' ' } })).error.error).toBe(
    'Please enter a name',
  )
})

test('creating and changing a case is audited by its id and the changed fields, without what is in them', async () => {
  const { id } = await createCase('Lighthouse')
  await server.call(cases.update, { ...as(owner), params: { id }, body: { notes: 'Ask the keeper' } })
  const { data } = await server.call(api.admin.audit, { ...as(admin), query: { search: id } })
  expect(data.events).toMatchObject([
    { action: 'case.update', actor: owner.email, target: id, details: 'notes' },
    { action: 'case.create', actor: owner.email, target: id, details: '' },
  ])
})

test('the audit trail shows a case by its name of today, and by its id where it is gone', async () => {
  const { id } = await createCase('Lighthouse')
  const recordingId = await uploadDialogue(server, owner.accessToken)
  const params = { id }
  await server.call(cases.addRecordings, { ...as(owner), params, body: { selection: { ids: [recordingId] } } })
  await server.call(cases.update, { ...as(owner), params, body: { name: 'Breakwater' } })
  const readNames = async () => {
    const { data } = await server.call(api.admin.audit, { ...as(admin), query: { search: id } })
    return data.events.map(({ action, case_id, case_name }) => [action, case_id, case_name])
  }
  const actions = ['case.update', 'case.recording_add', 'case.recordings_add', 'case.create']
  const found = await readNames()
  expect(found.toSorted()).toEqual(actions.map((action) => [action, id, 'Breakwater']).toSorted())
  await server.call(cases.remove, { ...as(owner), params })
  expect(new Set((await readNames()).map(([, , name]) => name))).toEqual(new Set([null]))
})

test('a user owns a limited number of cases', async () => {
  const rich = await server.createSignedIn()
  await fillWithCases(connection(), rich.id, maxOwnCases)
  expect((await server.call(cases.create, { ...as(rich), body: { name: 'One more' } })).error.code).toBe('conflict')
})

describe('what each role may do with a case', () => {
  test('members see it, with edit they change its notes, and nothing else of it', async () => {
    const { params } = await createShared()
    expect((await server.call(cases.get, { ...as(viewer), params })).data).toMatchObject({
      role: 'view',
      notes: 'Who pays?',
    })
    const update = (user: SignedInUser, body: { name?: string; notes?: string }) =>
      server.call(cases.update, { ...as(user), params, body })
    expect((await update(editor, { notes: 'They do.' })).data.notes).toBe('They do.')
    expect((await update(editor, { name: 'Mine' })).error.code).toBe('forbidden')
    expect((await update(viewer, { notes: '' })).error.code).toBe('forbidden')
    expect((await server.call(cases.remove, { ...as(editor), params })).error.code).toBe('forbidden')
    expect((await invite(params.id, outsider, 'view', editor)).error.code).toBe('forbidden')
    const self = { id: params.id, user_id: viewer.id }
    expect((await server.call(cases.removeMember, { ...as(editor), params: self })).error.code).toBe('forbidden')
  })

  test('an outsider finds nothing, whatever is asked', async () => {
    const { params } = await createShared()
    const member = { ...params, user_id: viewer.id }
    const recording = { ...params, recording_id: 'f'.repeat(24) }
    const body = { selection: { ids: ['f'.repeat(24)] } }
    const answers = await Promise.all([
      server.call(cases.get, { ...as(outsider), params }),
      server.call(cases.update, { ...as(outsider), params, body: { name: 'x' } }),
      server.call(cases.remove, { ...as(outsider), params }),
      invite(params.id, outsider, 'edit', outsider),
      server.call(cases.removeMember, { ...as(outsider), params: member }),
      server.call(cases.leave, { ...as(outsider), params }),
      server.call(cases.listRecordings, { ...as(outsider), params }),
      server.call(cases.addRecordings, { ...as(outsider), params, body }),
      server.call(cases.removeRecording, { ...as(outsider), params: recording }),
      server.call(cases.ofRecording, { ...as(outsider), params: unknown }),
    ])
    expect(answers.map(({ error }) => error.code)).toEqual(answers.map(() => 'not_found'))
    expect((await server.call(cases.list, as(outsider))).data.total).toBe(0)
  })

  test('an admin manages members and deletes the case, but reads neither its notes nor its recordings', async () => {
    const { params } = await createShared()
    const all = { ...as(admin), query: { scope: 'all' as const, per_page: 100 } }
    expect((await server.call(cases.list, all)).data.cases).toContainEqual(
      expect.objectContaining({ id: params.id, role: null }),
    )
    expect((await server.call(cases.list, { ...all, ...as(owner) })).error.code).toBe('forbidden')
    expect((await server.call(cases.get, { ...as(admin), params })).data.notes).toBeNull()
    expect((await server.call(cases.listRecordings, { ...as(admin), params })).error.code).toBe('forbidden')
    const body = { selection: { ids: ['f'.repeat(24)] } }
    expect((await server.call(cases.addRecordings, { ...as(admin), params, body })).error.code).toBe('forbidden')
    expect((await invite(params.id, admin, 'view', admin)).error.code).toBe('forbidden')
    expect((await invite(params.id, viewer, 'edit', admin)).status).toBe(200)
    expect((await server.call(cases.remove, { ...as(admin), params })).status).toBe(200)
    expect((await server.call(cases.get, { ...as(owner), params })).error.code).toBe('not_found')
  })
})

describe('members', () => {
  test('an address without an account that can be added is refused with a sentence that gives no reason', async () => {
    const { id } = await createShared()
    const off = await server.createUser({ isActive: false })
    const unverified = await server.createUser({ isVerified: false })
    const refused = await Promise.all(
      [off, unverified, { email: 'typo@example.org' }].map((user) => invite(id, user, 'view')),
    )
    expect(new Set(refused.map(({ error }) => `${error.code} ${error.fields?.email}`)).size).toBe(1)
    expect(refused[0]?.error.code).toBe('invalid_input')
  })

  test('the number of addresses that a user tries in an hour is limited, those of members are not counted', async () => {
    const curious = await server.createSignedIn()
    const { id } = (await server.call(cases.create, { ...as(curious), body: { name: 'Curious' } })).data
    await invite(id, viewer, 'view', curious)
    const codes: string[] = []
    for (let tries = 0; tries < 30; tries += 1)
      codes.push((await invite(id, { email: `try${tries}@example.org` }, 'view', curious)).error.code)
    expect(new Set(codes.slice(0, 29))).toEqual(new Set(['invalid_input']))
    expect(codes[29]).toBe('rate_limited')
    expect((await invite(id, viewer, 'edit', curious)).status).toBe(200)
  })

  test('the owner keeps every right, and cannot leave', async () => {
    const { params } = await createShared()
    expect((await invite(params.id, owner, 'view')).error.code).toBe('conflict')
    const self = { id: params.id, user_id: owner.id }
    expect((await server.call(cases.removeMember, { ...as(owner), params: self })).error.code).toBe('conflict')
    expect((await server.call(cases.leave, { ...as(owner), params })).error.code).toBe('conflict')
    const nobody = { id: params.id, user_id: unknown.id }
    expect((await server.call(cases.removeMember, { ...as(owner), params: nobody })).error.code).toBe('not_found')
  })

  test('a full case takes no more', async () => {
    const { id } = await createCase()
    await fillWithMembers(connection(), id, maxCaseMembers - 1)
    expect((await invite(id, viewer, 'view')).error.code).toBe('conflict')
  })
})

describe('recordings', () => {
  test('members see those of everybody, each adds only own ones', async () => {
    const { params } = await createShared()
    const first = await addRecording(params, owner)
    const second = await addRecording(params, editor)
    const listed = await server.call(cases.listRecordings, { ...as(viewer), params })
    expect(listed.data).toMatchObject({
      total: 2,
      recordings: [
        { recording: { id: second, name: 'call.wav' }, owner: { id: editor.id }, access: 'view' },
        { recording: { id: first }, owner: { id: owner.id }, access: 'view' },
      ],
    })
    const again = { ...as(editor), params, body: { selection: { ids: [first] } } }
    expect((await server.call(cases.addRecordings, again)).error.code).toBe('not_found')
    expect((await server.call(cases.addRecordings, { ...again, ...as(viewer) })).error.code).toBe('forbidden')
    const shown = await server.call(cases.ofRecording, { ...as(editor), params: { id: first } })
    expect(shown.data.cases).toMatchObject([{ id: params.id, name: 'Bridge', role: 'edit', member_count: 3 }])
  })

  test('adding all of a filter, and adding twice, adds each once', async () => {
    const { params } = await createShared()
    const user = await server.createSignedIn()
    await invite(params.id, user, 'edit')
    const id = await uploadDialogue(server, user.accessToken)
    const body = { selection: { filter: {}, except: [] } }
    const add = () => server.call(cases.addRecordings, { ...as(user), params, body })
    expect((await add()).data).toEqual({ added: 1, ids: [id] })
    expect((await add()).data).toEqual({ added: 0, ids: [] })
  })

  test('a full case takes no more', async () => {
    const { id } = await createCase()
    const recordingId = await uploadDialogue(server, owner.accessToken)
    await fillCase(connection(), id, maxCaseRecordings)
    const body = { selection: { ids: [recordingId] } }
    const refused = await server.call(cases.addRecordings, { ...as(owner), params: { id }, body })
    expect(refused.error.code).toBe('conflict')
  })

  test('the owner of one takes it out, and so do those who manage the case', async () => {
    const { params } = await createShared()
    const own = { ...params, recording_id: await addRecording(params, editor) }
    const ofOwner = { ...params, recording_id: await addRecording(params, owner) }
    const take = (user: SignedInUser, which: typeof own) =>
      server.call(cases.removeRecording, { ...as(user), params: which })
    expect((await take(viewer, own)).error.code).toBe('forbidden')
    expect((await take(editor, ofOwner)).error.code).toBe('forbidden')
    expect((await take(editor, own)).status).toBe(200)
    expect((await take(editor, own)).error.code).toBe('not_found')
    expect((await take(admin, ofOwner)).status).toBe(200)
  })

  test('are added by a program for a member with edit alone, and listed for members alone', async () => {
    const { id } = await createShared()
    const recordingId = await uploadDialogue(server, editor.accessToken)
    const add = (userId: string) => addRecordingToCase(connection(), { caseId: id, userId, recordingId })
    expect(await Promise.all([add(viewer.id), add(outsider.id)])).toEqual(['refused', 'refused'])
    expect([await add(editor.id), await add(editor.id)]).toEqual(['added', 'present'])
    expect(await listCaseRecordings(connection(), viewer.id, id)).toEqual([{ recordingId, ownerId: editor.id }])
    expect(await listCaseRecordings(connection(), outsider.id, id)).toEqual([])
  })
})
