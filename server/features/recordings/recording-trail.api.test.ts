import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { auditEventModel } from '#data/audit/audit-event-model.ts'
import { toObjectId } from '#data/ids.ts'
import { purgeRemovedOf } from '#data/recordings/remove.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { sendWhole } from '#testing/resumable-uploads.ts'
import { makeDialogue, upload, uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'

let server: TestServer
let admin: SignedInUser
let owner: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.createSignedIn({ role: 'admin' })
})
beforeEach(async () => {
  owner = await server.createSignedIn()
})
afterAll(() => server.close())

const connection = () => server.services.database.connection
const queue = () => server.services.work.queue
const stores = () => ({ queue: queue(), audioStore: server.services.work.audioStore })
const as = ({ accessToken: token }: SignedInUser) => ({ token })
const store = async (name = 'call.wav') => (await storeDocument(connection(), { ownerId: owner.id, name })).id

/** Returns the activity of a recording as its owner sees it, newest first. */
async function readActivity(id: string, user = owner) {
  const { data } = await server.call(api.activity.ofRecording, {
    ...as(user),
    params: { id },
    query: { per_page: 100 },
  })
  return data.entries
}

const actionsOf = async (id: string) => (await readActivity(id)).map(({ action }) => action)

/** Returns the stored entries of a recording, even a deleted one, oldest first. */
const readStored = (id: string) =>
  auditEventModel(connection())
    .find({ recordingId: toObjectId(id) })
    .sort({ at: 1, _id: 1 })
    .lean()

async function share(recordingId: string, role: 'view' | 'edit') {
  const member = await server.createSignedIn()
  const { id } = (await server.call(api.cases.create, { ...as(owner), body: { name: 'Bridge' } })).data
  await server.call(api.cases.setMember, { ...as(owner), params: { id }, body: { email: member.email, role } })
  const body = { selection: { ids: [recordingId] } }
  await server.call(api.cases.addRecordings, { ...as(owner), params: { id }, body })
  return member
}

const remove = (ids: string[]) => server.call(api.library.remove, { ...as(owner), body: { selection: { ids } } })

test('what an owner does with a recording stands in its activity, newest first, by readable details', async () => {
  const file = { name: 'call.wav', content: makeDialogue() }
  const { body: uploaded } = await upload(server, owner.accessToken, file)
  const params = { id: uploaded.file_id }
  const headers = { Prefer: 'respond-async' }
  await server.call(api.audio.transcribe, { ...as(owner), headers, body: { file_id: params.id, language: 'ps' } })
  const { id: jobId } = await finishNextJob(queue(), makeTranscription(), ['ps'])
  await server.call(api.recordings.get, { ...as(owner), params })
  await server.call(api.review.addHeard, { ...as(owner), params, body: { channels: [[[0, 500]]] } })
  await server.call(api.editing.addNote, { ...as(owner), params, body: { time: 0, text: 'mine' } })
  await server.call(api.recordings.export, { ...as(owner), params, query: { format: 'srt' } })
  const selected = { selection: { ids: [params.id] } }
  await server.call(api.library.tag, { ...as(owner), body: { ...selected, add: ['a', 'b'] } })
  await server.call(api.recordings.update, { ...as(owner), params, body: { name: 'Harbour' } })
  await server.call(api.batches.export, { ...as(owner), body: { ...selected, formats: ['txt'] } })
  await remove([params.id])
  await server.call(api.library.restore, { ...as(owner), body: { ids: [params.id] } })
  const source = { transcription_data: { transcription_id: jobId }, target_language: 'en' as const }
  const { data } = await server.call(api.audio.translateSpeakers, { ...as(owner), headers, body: source })
  // Otherwise the next test would take this job.
  if ('job_id' in data) await server.call(api.jobs.cancel, { ...as(owner), params: { id: data.job_id } })
  const entries = await readActivity(params.id)
  expect(entries.map(({ action, details }) => `${action}: ${details}`)).toEqual([
    'recording.translate: auto to en',
    'recording.restore: ',
    'recording.trash: ',
    'recording.export: txt',
    'recording.rename: ',
    'recording.tag: 2 tags added',
    'recording.export: srt',
    'recording.edit: ',
    'recording.listen: ',
    'recording.open: ',
    'recording.transcribe: ps',
    `recording.upload: SHA-256 ${createHash('sha256').update(file.content).digest('hex')}`,
  ])
  expect(new Set(entries.map(({ who }) => JSON.stringify(who))).size).toBe(1)
  expect(entries[0]?.who).toMatchObject({ id: owner.id, is_you: true })
})

test('an upload in parts leaves one entry, however often it is finished', async () => {
  const { id } = await sendWhole(server, owner.accessToken, { name: 'call.wav', content: makeDialogue() })
  for (let times = 0; times < 2; times += 1) await server.call(api.uploads.finish, { ...as(owner), params: { id } })
  expect(await actionsOf(id)).toEqual(['recording.upload'])
})

test('an upload whose entry cannot be written is withdrawn', async () => {
  const insert = vi.spyOn(auditEventModel(connection()), 'insertMany').mockRejectedValueOnce(new Error('disk full'))
  const { status } = await upload(server, owner.accessToken, { name: 'call.wav', content: makeDialogue() })
  insert.mockRestore()
  expect(status).toBe(500)
  expect((await server.call(api.recordings.list, as(owner))).data.total).toBe(0)
})

test('what is added to a case and taken out of it stands in the activity, and what a batch was asked for', async () => {
  const id = await store()
  await share(id, 'view')
  const { cases } = (await server.call(api.cases.ofRecording, { ...as(owner), params: { id } })).data
  const params = { id: cases[0]?.id ?? '', recording_id: id }
  await server.call(api.cases.removeRecording, { ...as(owner), params })
  const body = { selection: { ids: [id] }, transcribe: { language: 'ps' as const }, target_languages: ['en' as const] }
  const batch = (await server.call(api.batches.create, { ...as(owner), body })).data
  await server.call(api.batches.cancel, { ...as(owner), params: { id: batch.id } })
  const entries = await readActivity(id)
  expect(entries.map(({ action, details }) => `${action}: ${details}`)).toEqual([
    'recording.translate: batch, auto to en',
    'recording.transcribe: batch, ps',
    `case.recording_remove: case ${params.id}`,
    `case.recording_add: case ${params.id}`,
  ])
})

test('an admin reads no name in the audit trail and its CSV, the owner and members of a case do, of what they may read', async () => {
  const id = await store('Operation Bridge')
  const reader = await share(id, 'view')
  await server.call(api.recordings.get, { ...as(owner), params: { id } })
  const subjectFor = async (user: SignedInUser) => {
    const role = { params: { id: user.id }, body: { role: 'admin' as const } }
    if (user !== admin) await server.call(api.admin.setRole, { ...as(admin), ...role })
    const token = (
      await server.services.sessions.start({
        userId: user.id,
        isRemembered: false,
        isBrowser: false,
        origin: { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' },
      })
    ).accessToken
    const query = { action: 'recording.open', search: owner.email }
    const { data } = await server.call(api.admin.audit, { token, query })
    const csv = String((await server.call(api.admin.auditCsv, { token, query })).raw)
    return { event: data.events[0], csv }
  }
  const seen = await subjectFor(admin)
  expect(seen.event).toMatchObject({
    recording_id: id,
    recording_name: null,
    recording_owner: owner.email,
    can_open_recording: false,
    target: expect.stringContaining(`recording of ${owner.email}, uploaded 20`),
  })
  expect(seen.csv).toContain(`,${id},`)
  expect(seen.csv).not.toContain('Operation Bridge')
  for (const user of [owner, reader]) {
    const { event, csv } = await subjectFor(user)
    expect(event).toMatchObject({ recording_name: 'Operation Bridge', can_open_recording: true })
    expect(csv).toContain(`,${id},Operation Bridge`)
  }
  await server.call(api.library.remove, { token: owner.accessToken, body: { selection: { ids: [id] } } })
})

test('what is opened, heard and corrected stands there once an hour for each session', async () => {
  const id = await uploadDialogue(server, owner.accessToken)
  const params = { id }
  for (let times = 0; times < 3; times += 1) {
    await server.call(api.recordings.get, { ...as(owner), params })
    await server.call(api.audio.play, { ...as(owner), params })
    await server.call(api.review.addHeard, { ...as(owner), params, body: { channels: [[[0, 500]]] } })
    await server.call(api.editing.addNote, { ...as(owner), params, body: { time: 0, text: 'mine' } })
  }
  expect(await actionsOf(id)).toEqual(['recording.edit', 'recording.listen', 'recording.open', 'recording.upload'])
})

test('facts about a recording are read without opening it', async () => {
  const id = await store()
  await server.call(api.holds.get, { ...as(owner), params: { id } })
  await server.call(api.cases.ofRecording, { ...as(owner), params: { id } })
  expect(await actionsOf(id)).toEqual([])
})

test('where no entry can be written, owners go on reading, members do not, and the next request of each writes it', async () => {
  const id = await store()
  const member = await share(id, 'view')
  const open = (user: SignedInUser) => server.call(api.recordings.get, { ...as(user), params: { id } })
  const full = new Error('The disk is full')
  const insert = vi
    .spyOn(auditEventModel(connection()), 'insertMany')
    .mockRejectedValueOnce(full)
    .mockRejectedValueOnce(full)
  expect((await open(owner)).status).toBe(200)
  expect(server.logLines.join('\n')).toContain('the audit trail has no entry of it')
  expect((await open(member)).status).toBe(500)
  for (const user of [owner, member]) expect((await open(user)).status).toBe(200)
  insert.mockRestore()
  expect((await actionsOf(id)).filter((action) => action === 'recording.open')).toHaveLength(2)
})

test("a member's opening and a result that a member reads are seen by the owner, by name and without an address", async () => {
  const id = await uploadDialogue(server, owner.accessToken)
  await server.call(api.audio.transcribe, {
    ...as(owner),
    headers: { Prefer: 'respond-async' },
    body: { file_id: id, language: 'ps' },
  })
  const job = await finishNextJob(queue(), makeTranscription(), ['ps'])
  const member = await share(id, 'view')
  await server.call(api.jobs.get, { ...as(member), params: { id: job.id } })
  const [newest] = await readActivity(id)
  expect(newest).toEqual({
    id: expect.any(String),
    at: expect.any(String),
    action: 'recording.open',
    who: { id: member.id, name: expect.stringMatching(/^Test Person/), is_you: false },
    details: 'member',
  })
  const asMember = await server.call(api.activity.ofRecording, { ...as(member), params: { id } })
  expect(asMember.error.code).toBe('not_found')
})

test('the activity comes in pages, also of a recording in the trash, and of none that is gone', async () => {
  const id = await store()
  for (const name of ['a', 'b', 'c'])
    await server.call(api.recordings.update, { ...as(owner), params: { id }, body: { name } })
  await remove([id])
  const query = { page: 2, per_page: 3 }
  const { data } = await server.call(api.activity.ofRecording, { ...as(owner), params: { id }, query })
  expect(data).toMatchObject({ total: 4, page: 2, per_page: 3, pages: 2, entries: [{ action: 'recording.rename' }] })
  await purgeRemovedOf(stores(), owner.id, 1)
  const gone = await server.call(api.activity.ofRecording, { ...as(owner), params: { id } })
  expect(gone.error.code).toBe('not_found')
})

test('no name, tag, word, note or query is stored in the audit trail, and deleting the owner keeps its entries', async () => {
  const id = await store('planted-name')
  const params = { id }
  await server.call(api.recordings.update, { ...as(owner), params, body: { name: 'planted-rename' } })
  const tagging = { selection: { ids: [id] }, add: ['planted-tag'] }
  await server.call(api.library.tag, { ...as(owner), body: tagging })
  await server.call(api.editing.addNote, { ...as(owner), params, body: { time: 0, text: 'planted-note' } })
  await server.call(api.search.find, { ...as(owner), query: { q: 'planted-query' } })
  await server.call(api.search.find, { ...as(owner), query: { q: 'planted-again' } })
  await server.call(api.holds.set, { ...as(owner), params, body: { reason: 'Court order 7' } })
  await server.call(api.holds.lift, { ...as(owner), params, body: { reason: 'Done now' } })
  await server.call(api.admin.deleteUser, { ...as(admin), params: { id: owner.id } })
  const all = await auditEventModel(connection()).find().lean()
  expect(JSON.stringify(all)).not.toContain('planted')
  const searches = all.filter(({ action, actor }) => action === 'library.search' && actor === owner.email)
  expect(searches).toMatchObject([{ details: '', target: null }])
  const actions = (await readStored(id)).map(({ action, details }) => `${action} ${details}`)
  expect(actions.slice(-3)).toEqual(['hold.set Court order 7', 'hold.lift Done now', 'recording.delete account'])
})

test('the name is not read from the trail by somebody whose library is closed', async () => {
  const id = await store('planted-closed')
  await server.call(api.recordings.get, { ...as(owner), params: { id } })
  await server.call(api.admin.setRole, { ...as(admin), params: { id: owner.id }, body: { role: 'admin' } })
  const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  const start = { userId: owner.id, isRemembered: false, isBrowser: false, origin }
  const { accessToken: token } = await server.services.sessions.start(start)
  await connection()
    .collection('users')
    .updateOne({ _id: toObjectId(owner.id) }, { $set: { libraryClosure: { closedAt: new Date(), reset: 'password' } } })
  const query = { action: 'recording.open', search: owner.email }
  const { data } = await server.call(api.admin.audit, { token, query })
  expect(data.events).toMatchObject([{ recording_id: id, recording_name: null }])
})
