import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { readLastChange } from '#data/change-counter.ts'
import { reconcileCaseHolds } from '#data/holds/case-holds.ts'
import { toObjectId } from '#data/ids.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { signIn } from '#testing/accounts.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
let owner: SignedInUser
let member: SignedInUser
let admin: SignedInUser
let outsider: SignedInUser
let recordingId: string
let caseId: string

const queue = () => server.services.work.queue
const connection = () => server.services.database.connection

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.createSignedIn({ role: 'admin' })
  outsider = await server.createSignedIn()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await server.createSignedIn()
  member = await server.createSignedIn()
  recordingId = await storeRecording()
  const token = owner.accessToken
  caseId = (await server.call(api.cases.create, { token, body: { name: 'Bridge' } })).data.id
  const params = { id: caseId }
  await server.call(api.cases.setMember, { token, params, body: { email: member.email, role: 'edit' } })
  await addToCase([recordingId])
})

async function storeRecording(): Promise<string> {
  return (await storeDocument(connection(), { ownerId: owner.id })).id
}

function addToCase(ids: string[]) {
  const body = { selection: { ids } }
  return server.call(api.cases.addRecordings, { params: { id: caseId }, body, token: owner.accessToken })
}

const body = { reason: 'Court order 7' }
const setHold = ({ accessToken: token }: SignedInUser, id = recordingId) =>
  server.call(api.holds.set, { params: { id }, body, token })
const liftHold = ({ accessToken: token }: SignedInUser) =>
  server.call(api.holds.lift, { params: { id: recordingId }, body, token })
const setCase = ({ accessToken: token }: SignedInUser) =>
  server.call(api.holds.setOfCase, { params: { id: caseId }, body, token })
const liftCase = ({ accessToken: token }: SignedInUser) =>
  server.call(api.holds.liftOfCase, { params: { id: caseId }, body, token })
const remove = ({ accessToken: token }: SignedInUser, id = recordingId) =>
  server.call(api.recordings.remove, { params: { id }, token })
const read = ({ accessToken: token }: SignedInUser, id = recordingId) =>
  server.call(api.holds.get, { params: { id }, token })

async function lastAudit() {
  const { events } = (await server.call(api.admin.audit, { query: { search: 'hold.' }, token: admin.accessToken })).data
  return events[0]
}

test('the owner of a recording sets and lifts its hold, and its readers see it', async () => {
  expect((await setHold(owner)).data).toMatchObject({
    can_hold: true,
    holds: [{ of: 'recording', case: null, reason: 'Court order 7', is_by_admin: false, can_lift: true }],
  })
  expect((await read(member)).data).toMatchObject({ can_hold: false, holds: [{ can_lift: false }] })
  const { recordings } = (await server.call(api.library.list, { query: {}, token: owner.accessToken })).data
  expect(recordings).toMatchObject([{ id: recordingId, is_held: true }])
  expect((await liftHold(owner)).data).toEqual({ can_hold: true, holds: [] })
  expect((await liftHold(owner)).error.code).toBe('conflict')
  expect((await remove(owner)).status).toBe(200)
})

test('a recording without a hold is answered as before', async () => {
  const params = { id: recordingId }
  const { data } = await server.call(api.recordings.get, { params, token: owner.accessToken })
  expect(data).not.toHaveProperty('is_held')
})

test('members may not, and outsiders do not learn that there is such a recording', async () => {
  expect((await setHold(member)).error.code).toBe('forbidden')
  expect((await setHold(outsider)).error.code).toBe('not_found')
  expect((await read(outsider)).error.code).toBe('not_found')
  expect((await setCase(member)).error.code).toBe('forbidden')
  expect((await setCase(outsider)).error.code).toBe('not_found')
  await setHold(owner)
  await setCase(owner)
  expect((await liftHold(member)).error.code).toBe('forbidden')
  expect((await liftHold(outsider)).error.code).toBe('not_found')
  expect((await liftCase(member)).error.code).toBe('forbidden')
  expect((await liftCase(outsider)).error.code).toBe('not_found')
})

test('what an admin holds, only admins lift, and an admin takes over what an owner holds', async () => {
  await setHold(owner)
  expect((await setHold(admin)).data.holds).toMatchObject([{ is_by_admin: true, can_lift: true }])
  expect((await read(owner)).data).toMatchObject({ can_hold: false, holds: [{ can_lift: false }] })
  for (const refused of [await setHold(owner), await liftHold(owner)]) expect(refused.error.code).toBe('conflict')
  expect((await remove(owner)).error.code).toBe('on_hold')
  expect((await liftHold(admin)).data.holds).toEqual([])

  expect((await setCase(admin)).data.hold).toMatchObject({ is_by_admin: true, can_lift: true, case: { id: caseId } })
  for (const refused of [await setCase(owner), await liftCase(owner)]) expect(refused.error.code).toBe('conflict')
  expect((await liftCase(admin)).data.hold).toBeUndefined()
  expect((await liftCase(owner)).error.code).toBe('conflict')
})

test('an admin who lifts a hold of somebody else confirms the password first', async () => {
  await setHold(owner)
  await setCase(owner)
  server.clock.advance(6 * 60_000)
  expect((await liftHold(admin)).error.code).toBe('password_confirmation_required')
  expect((await liftCase(admin)).error.code).toBe('password_confirmation_required')
  expect((await liftHold(owner)).status).toBe(200)
  expect((await liftCase(owner)).status).toBe(200)
  admin = await server.createSignedIn({ role: 'admin' })
})

test('both are audited by a readable subject, which is without the name of a recording', async () => {
  await setHold(owner)
  const details = 'Court order 7'
  const expected = { action: 'hold.set', actor: owner.email, details, recording_id: recordingId, recording_name: null }
  expect(await lastAudit()).toMatchObject(expected)
  expect((await lastAudit())?.target).toMatch(new RegExp(`^recording of ${owner.email}, uploaded 20[^"]*$`))
  await liftHold(admin)
  expect(await lastAudit()).toMatchObject({ action: 'hold.lift', actor: admin.email })
  expect((await lastAudit())?.target).toContain(`recording of ${owner.email}`)
  await setCase(owner)
  expect(await lastAudit()).toMatchObject({ target: `case "Bridge" of ${owner.email}` })
})

test('a closed library keeps its owner from lifting a hold', async () => {
  await setHold(owner)
  const superAdmin = await server.createSignedIn({ role: 'super_admin' })
  await server.services.users.update(owner.id, { lastLoginAt: new Date(server.clock.now()) })
  const reset = { params: { id: owner.id }, body: { new_password: 'Given-harvest8!' }, token: superAdmin.accessToken }
  await server.call(api.superAdmin.resetPassword, reset)
  const { access_token: token } = await signIn(server, { email: owner.email, password: 'Given-harvest8!' })
  const chosen = { current_password: 'Given-harvest8!', new_password: 'Second-harvest8!' }
  const { data } = await server.call(api.profile.changePassword, { body: chosen, token })
  expect((await liftHold({ ...owner, accessToken: data.access_token })).error.code).toBe('library_closed')
})

test('the hold of a case holds what is in it, in the trash, and added later, until it is lifted', async () => {
  const [trashed, later] = [await storeRecording(), await storeRecording()]
  await addToCase([trashed])
  await server.call(api.library.remove, { body: { selection: { ids: [trashed] } }, token: owner.accessToken })
  await setCase(owner)
  expect((await remove(owner, trashed)).error.code).toBe('on_hold')
  await addToCase([later])
  expect((await remove(owner, later)).error.code).toBe('on_hold')
  expect((await read(owner, later)).data.holds).toMatchObject([{ of: 'case', case: { id: caseId, name: 'Bridge' } }])
  await liftCase(owner)
  expect((await remove(owner, later)).status).toBe(200)
})

test('a hold of a case that the owner of a recording left says that there is one, and not why', async () => {
  const token = member.accessToken
  const own = (await storeDocument(connection(), { ownerId: member.id })).id
  await server.call(api.cases.addRecordings, { params: { id: caseId }, body: { selection: { ids: [own] } }, token })
  await setCase(owner)
  await server.call(api.cases.leave, { params: { id: caseId }, token })
  const { holds } = (await read(member, own)).data
  expect(holds).toMatchObject([{ of: 'case', case: null, reason: null, set_by: '', can_lift: false }])
})

test('a recording that two things hold stays held until both are lifted', async () => {
  await setHold(owner)
  await setCase(owner)
  await liftHold(owner)
  expect((await remove(owner)).error.code).toBe('on_hold')
  await setHold(owner)
  await liftCase(owner)
  expect((await remove(owner)).error.code).toBe('on_hold')
  await liftHold(owner)
  expect((await remove(owner)).status).toBe(200)
})

test('admins list all holds, recordings without their names', async () => {
  await setHold(owner)
  await setCase(admin)
  const { data } = await server.call(api.holds.list, { token: admin.accessToken })
  expect(data.cases.find(({ id }) => id === caseId)).toMatchObject({
    name: 'Bridge',
    owner: { email: owner.email },
    recording_count: 1,
  })
  const listed = data.recordings.find(({ id }) => id === recordingId)
  expect(listed).toMatchObject({ owner: { email: owner.email }, hold: { reason: 'Court order 7' } })
  expect(JSON.stringify(listed)).not.toContain('call.wav')
})

test('what was changed on hold can be read as it was before', async () => {
  const token = owner.accessToken
  await setHold(owner)
  await setCase(owner)
  await server.call(api.recordings.update, { params: { id: recordingId }, body: { name: 'other' }, token })
  await server.call(api.cases.update, { params: { id: caseId }, body: { notes: 'new' }, token })
  const kept = await server.call(api.holds.keptStates, { params: { id: recordingId }, token: member.accessToken })
  expect(kept.raw).toMatchObject({ kind: 'name', before: 'call.wav' })
  const ofCase = await server.call(api.holds.keptStatesOfCase, { params: { id: caseId }, token })
  expect(ofCase.raw).toMatchObject({ kind: 'case_notes', before: { name: 'Bridge', notes: '' } })
  const denied = { params: { id: recordingId }, token: outsider.accessToken }
  expect((await server.call(api.holds.keptStates, denied)).error.code).toBe('not_found')
  const params = { id: caseId }
  expect((await server.call(api.holds.keptStatesOfCase, { params, token: admin.accessToken })).error.code).toBe(
    'forbidden',
  )
  const missing = await server.call(api.holds.keptStatesOfCase, { params, token: outsider.accessToken })
  expect(missing.error.code).toBe('not_found')
})

test('a hold of a case that a crash left half set or half lifted is finished', async () => {
  await setCase(owner)
  const recordings = recordingModel(connection())
  await recordings.updateOne({ _id: toObjectId(recordingId) }, { $set: { caseHolds: [] } })
  await reconcileCaseHolds(queue())
  expect((await remove(owner)).error.code).toBe('on_hold')
  await connection()
    .collection('cases')
    .updateOne({ _id: toObjectId(caseId) }, { $unset: { hold: 1 } })
  await reconcileCaseHolds(queue())
  expect((await remove(owner)).status).toBe(200)
})

test('looking at a hold of a case again changes nothing where nothing is to be finished', async () => {
  await setCase(owner)
  const before = await readLastChange(connection())
  await reconcileCaseHolds(queue())
  expect(await readLastChange(connection())).toBe(before)
})
