import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api, listEndpoints } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import { reconcileCaseHolds } from '#data/holds/case-holds.ts'
import { readKeptStates } from '#data/holds/kept-states.ts'
import { toObjectId } from '#data/ids.ts'
import { moveToTrash } from '#data/library/trash.ts'
import { removeExpired } from '#data/recordings/expire.ts'
import { openQuota } from '#data/recordings/quota.ts'
import { reconcileAudioStore } from '#data/recordings/reconcile-audio-store.ts'
import { finishDeletions, purgeRemoved, purgeRemovedOf, removeUserWork } from '#data/recordings/remove.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { startTestServer, type CallResult, type SignedInUser, type TestServer } from '#testing/server.ts'
import { setRecordingCreatedAt } from '#testing/stored-work.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'

// Every endpoint and every schedule that could delete something of a recording or a case, while the recording, or its case, is on legal hold.
let server: TestServer
let owner: SignedInUser
let member: SignedInUser
let admin: SignedInUser
let superAdmin: SignedInUser
let recordingId: string
let jobId: string
let caseId: string
let noteId: string

const line = { start: 0.5, end: 1.5, channel: 0, text: 'سلام زما ملګریه' }
const connection = () => server.services.database.connection
const queue = () => server.services.work.queue
const stores = () => ({ queue: queue(), audioStore: server.services.work.audioStore })

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.createSignedIn({ role: 'admin' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})
afterAll(() => server.close())

/** Stores a recording with everything that people make of it, in a case that its owner owns. */
beforeEach(async () => {
  owner = await server.createSignedIn()
  member = await server.createSignedIn()
  const token = owner.accessToken
  recordingId = await uploadDialogue(server, token)
  const respondAsync = { Prefer: 'respond-async' }
  await server.call(api.audio.transcribe, { token, body: { file_id: recordingId }, headers: respondAsync })
  jobId = (await finishNextJob(queue(), makeTranscription(), ['ps'])).id
  caseId = (await server.call(api.cases.create, { token, body: { name: 'Bridge', notes: 'first notes' } })).data.id
  const params = { id: recordingId }
  await server.call(api.cases.setMember, { token, params: { id: caseId }, body: { email: member.email, role: 'edit' } })
  await server.call(api.cases.addRecordings, { token, params: { id: caseId }, body: selected() })
  noteId = (await server.call(api.editing.addNote, { token, params, body: { time: 1, text: 'a note' } })).data.id
  await server.call(api.editing.reviewHit, { token, params, body: { hits: ['x'], is_reviewed: true } })
  const marks = { lines: [line], is_verified: true, doubt: { is_uncertain: true, reason: 'noise' } }
  await server.call(api.review.markLines, { token, params, body: marks })
  await server.call(api.library.tag, { token, body: { ...selected(), add: ['mine'] } })
  const edit = { from: [0], lines: [{ start: 0.5, end: 1.5, text: 'edited', speaker: 'Speaker A' }] }
  await server.call(api.editing.changeLines, {
    token,
    params,
    body: { transcription_id: jobId, revision: 0, changes: [edit] },
  })
  await correctSpeakers({ ...noSpeakerCorrections, names: { 'Speaker A': 'Nadia' } })
  const words = { revision: 0, words: [{ word: 'Khyber', heard_as: [] }] }
  await server.call(api.wordLists.replaceOfCase, { token, params: { id: caseId }, body: words })
})

const selected = () => ({ selection: { ids: [recordingId] } })

async function correctSpeakers(corrections: typeof noSpeakerCorrections) {
  const params = { id: recordingId }
  const token = owner.accessToken
  const { speaker_corrections_version: version } = (await server.call(api.recordings.get, { params, token })).data
  return server.call(api.recordings.correctSpeakers, { params, token, body: { corrections, version } })
}

/** What is put on hold: the recording itself, or its case. */
const kinds = {
  recording: () =>
    server.call(api.holds.set, {
      params: { id: recordingId },
      body: { reason: 'Court order 7' },
      token: owner.accessToken,
    }),
  case: () =>
    server.call(api.holds.setOfCase, {
      params: { id: caseId },
      body: { reason: 'Court order 7' },
      token: owner.accessToken,
    }),
}

/** Numbers that say that something was looked at or changed, and not what. */
const volatile = new Set(['version', 'change', 'annotationVersion', 'removals', 'updatedAt', 'usedAt', 'beatAt'])

/** Returns everything that is stored of the recording and the case, and whether the sound is there. */
async function snapshot() {
  const ids = [recordingId, caseId, jobId, noteId]
  const found: Record<string, unknown[]> = {}
  for (const { name } of (await connection().db?.listCollections().toArray()) ?? []) {
    if (['audit_events', 'library_entries', 'batches', 'batch_items', 'kept_states'].includes(name)) continue
    for (const document of await connection().collection(name).find().sort({ _id: 1 }).toArray()) {
      const text = JSON.stringify(document, (key, value: unknown) => (volatile.has(key) ? undefined : value))
      if (ids.some((id) => text.includes(id))) (found[name] ??= []).push(JSON.parse(text))
    }
  }
  const size = await stores().audioStore.size({ id: recordingId, extension: 'wav' })
  return { ...found, size }
}

interface Call {
  params?: object
  query?: object
  body?: object
}

const callers = {
  owner: () => owner,
  member: () => member,
  admin: () => admin,
  superAdmin: () => superAdmin,
}

function callAs(who: keyof typeof callers, spec: EndpointSpec, input: Call) {
  const callAny = server.call as (
    spec: EndpointSpec,
    input: Call & { token?: string },
  ) => Promise<CallResult<EndpointSpec>> // the table mixes endpoints
  return callAny(spec, { ...input, token: callers[who]().accessToken })
}

interface Deletion {
  by?: keyof typeof callers
  input: () => Call
  /** What is refused; a hold of the case alone does not keep other things of the recording's owner, and the other way round. */
  of?: 'case'
}

const ofRecording = () => ({ params: { id: recordingId } })
const ofCase = () => ({ params: { id: caseId } })

/** These delete, and are refused. */
const refused: Record<string, Deletion> = {
  'recordings.remove': { input: ofRecording },
  'library.remove': { input: () => ({ body: selected() }) },
  'library.tag': { input: () => ({ body: { ...selected(), remove: ['mine'] } }) },
  'cases.remove': { of: 'case', input: ofCase },
  'cases.removeRecording': { of: 'case', input: () => ({ params: { id: caseId, recording_id: recordingId } }) },
  'editing.removeNote': { by: 'member', input: () => ({ params: { id: recordingId, note_id: noteId } }) },
  'editing.changeNote': { input: () => ({ params: { id: recordingId, note_id: noteId }, body: { text: '' } }) },
  'editing.reviewHit': { input: () => ({ ...ofRecording(), body: { hits: ['x'], is_reviewed: false } }) },
  'review.markLines': { input: () => ({ ...ofRecording(), body: { lines: [line], is_verified: false } }) },
  'admin.deleteUser': { by: 'admin', input: () => ({ params: { id: owner.id } }) },
  'superAdmin.deleteUser': { by: 'superAdmin', input: () => ({ params: { id: owner.id } }) },
}

/** These change what people wrote, and keep it as it was. */
const keeping: Record<string, Deletion & { kind: string }> = {
  'recordings.update': { kind: 'name', input: () => ({ ...ofRecording(), body: { name: 'other' } }) },
  'recordings.correctSpeakers': { kind: 'speakers', input: ofRecording },
  'editing.changeLines': {
    kind: 'lines',
    input: () => ({
      ...ofRecording(),
      body: { transcription_id: jobId, revision: 1, changes: [{ from: [0], lines: null }] },
    }),
  },
  'cases.update': { of: 'case', kind: 'case_notes', input: () => ({ ...ofCase(), body: { notes: 'second' } }) },
  'wordLists.replaceOfCase': {
    of: 'case',
    kind: 'case_words',
    input: () => ({ ...ofCase(), body: { revision: 1, words: [] } }),
  },
}

/** These end access, and leave what is on hold where it is. */
const leaving: Record<string, Deletion> = {
  'cases.leave': { by: 'member', input: ofCase },
  'cases.removeMember': { by: 'owner', input: () => ({ params: { id: caseId, user_id: member.id } }) },
}

/** Tested below by themselves. */
const special = ['admin.bulkUsers', 'holds.set', 'holds.lift', 'holds.setOfCase', 'holds.liftOfCase']

/** Endpoints that remove nothing of a recording or a case. */
const others = [
  // Accounts and how people sign in; nothing of these is in a recording.
  /^(auth|profile|passkeys|sso|signInAdmin|invitations|recovery|keywords|integrations|models|watchFolder)\./,
  /^admin\.(updateUser|resetTwoFactor|setRole|setStatus|unlockUser|revokeSessions|endSession)$/,
  /^superAdmin\.(createUser|resetPassword|setRole|sendMail|testMail)$/,
  // They add.
  /^audio\.(upload|transcribe|translate|translateSpeakers|diarize)$/,
  /^cases\.(create|setMember|addRecordings)$/,
  /^editing\.(addNote|restoreVersion)$/,
  /^review\.addHeard$/,
  /^library\.(restore|saveFilter)$/,
  /^batches\.(create|preview|retryFailed|export)$/,
  // Cancelled work has written nothing yet; saved filters and lists that watch are the user's own.
  /^(jobs|batches)\.cancel$/,
  /^library\.removeFilter$/,
  /^alerts\./,
  /^wordLists\.replaceOwn$/,
  /^retention\./, // tests of the schedule below
]

const writing = listEndpoints().filter(({ spec }) => spec.method !== 'GET')
const specs = new Map(writing.map(({ name, spec }) => [name, spec]))

function specOf(name: string): EndpointSpec {
  const spec = specs.get(name)
  if (!spec) throw new Error(`There is no ${name}`)
  return spec
}

test('the tables name every endpoint that writes', () => {
  const named = [...[refused, keeping, leaving].flatMap(Object.keys), ...special]
  expect(named.filter((name) => !specs.has(name))).toEqual([])
  const missing = [...specs.keys()].filter((name) => !named.includes(name) && !others.some((other) => other.test(name)))
  expect(missing).toEqual([])
})

describe.each(['recording', 'case'] as const)('with a hold of the %s', (kind) => {
  beforeEach(async () => {
    expect((await kinds[kind]()).status).toBe(200)
  })

  test.each(Object.entries(refused).filter(([, { of }]) => of !== 'case' || kind === 'case'))(
    '%s is refused and removes nothing',
    async (name, { by = 'owner', input }) => {
      const before = await snapshot()
      const { error, status } = await callAs(by, specOf(name), input())
      expect({ status, code: error.code, hasHelp: Boolean(error.help) }).toEqual({
        status: 409,
        code: 'on_hold',
        hasHelp: true,
      })
      expect(await snapshot()).toEqual(before)
    },
  )

  test.each(Object.entries(keeping).filter(([, { of }]) => of !== 'case' || kind === 'case'))(
    '%s keeps what was before',
    async (name, { by = 'owner', input, of, kind: expected }) => {
      const answer =
        name === 'recordings.correctSpeakers'
          ? await correctSpeakers(noSpeakerCorrections)
          : await callAs(by, specOf(name), input())
      expect(answer.status).toBe(200)
      const kept = []
      const subjectId = of === 'case' ? caseId : recordingId
      for await (const each of readKeptStates(connection(), { ownerId: owner.id, subjectId })) kept.push(each)
      expect(kept.map((each) => each.kind)).toEqual([expected])
      const before = {
        name: 'call.wav',
        speakers: 'Nadia',
        lines: 'edited',
        case_notes: 'first notes',
        case_words: 'Khyber',
      }
      expect(JSON.stringify(kept)).toContain(before[expected as keyof typeof before])
    },
  )

  test('deleting many users names the one that is kept', async () => {
    const other = await server.createSignedIn()
    const before = await snapshot()
    const body = { action: 'delete' as const, ids: [owner.id, other.id] }
    const { data } = await server.call(api.admin.bulkUsers, { body, token: admin.accessToken })
    expect(data).toMatchObject({ done: 1, failed: [{ id: owner.id, error: expect.stringContaining('legal hold') }] })
    expect(await snapshot()).toEqual(before)
    expect((await server.services.users.findById(owner.id))?.isActive).toBe(true)
  })

  test.each([
    ['the schedule of retention', () => removeExpired(stores(), 1)],
    ['the purge of the trash', () => purgeRemoved(stores())],
    ['finishing deletions', () => finishDeletions(stores())],
    ['the comparison of the audio files', () => reconcileAudioStore({ ...stores(), connection: connection() })],
    ['the comparison of the holds', () => reconcileCaseHolds(queue())],
    ['an upload beyond the quota', () => purgeRemovedOf(stores(), owner.id, 1e9)],
    ['moving to the trash', () => moveToTrash(queue(), owner.id, [recordingId])],
    ['the last step of deleting an account', () => removeUserWork(stores(), owner.id).catch(() => undefined)],
  ])('%s removes nothing', async (_name, run) => {
    await setRecordingCreatedAt(queue(), recordingId, new Date(Date.now() - 400 * 24 * 3600 * 1000))
    const before = await snapshot()
    await run()
    expect(await snapshot()).toEqual(before)
  })

  test('the days of a case remove nothing', async () => {
    const params = { id: caseId }
    await server.call(api.retention.setCaseDays, { params, body: { days: 1 }, token: superAdmin.accessToken })
    await setRecordingCreatedAt(queue(), recordingId, new Date(Date.now() - 3 * 24 * 3600 * 1000))
    const before = await snapshot()
    expect((await removeExpired(stores(), 0)).recordings).toBe(0)
    expect(await snapshot()).toEqual(before)
  })

  test('a full quota refuses the upload rather than make room', async () => {
    const makeRoom = (ownerId: string, bytes: number) => purgeRemovedOf(stores(), ownerId, bytes)
    const before = await snapshot()
    const quota = openQuota({ connection: connection(), quotaBytes: 10, purgeRemoved: makeRoom })
    await expect(quota.reserve(owner.id, 5)).rejects.toMatchObject({ code: 'disk_full' })
    expect(await snapshot()).toEqual(before)
  })
})

describe('with a hold of the case', () => {
  beforeEach(async () => {
    const token = owner.accessToken
    await server.call(api.cases.setMember, {
      token: token,
      params: { id: caseId },
      body: { email: member.email, role: 'edit' },
    })
  })

  test.each(Object.entries(leaving))(
    '%s ends access, and what the member brought along stays held',
    async (name, row) => {
      const memberRecording = await uploadDialogue(server, member.accessToken)
      const body = { selection: { ids: [memberRecording] } }
      await server.call(api.cases.addRecordings, { token: member.accessToken, params: { id: caseId }, body })
      await kinds.case()
      expect((await callAs(row.by ?? 'owner', specOf(name), row.input())).status).toBe(200)
      const get = (token: string) => server.call(api.recordings.get, { params: { id: memberRecording }, token })
      expect((await get(owner.accessToken)).status).toBe(404)
      expect((await get(member.accessToken)).data.is_held).toBe(true)
      const remove = () =>
        server.call(api.recordings.remove, { params: { id: memberRecording }, token: member.accessToken })
      expect((await remove()).error.code).toBe('on_hold')

      const lift = { params: { id: caseId }, body: { reason: 'Closed' }, token: owner.accessToken }
      expect((await server.call(api.holds.liftOfCase, lift)).status).toBe(200)
      expect((await get(member.accessToken)).data.is_held).toBeUndefined()
      expect(
        (await server.call(api.cases.get, { params: { id: caseId }, token: owner.accessToken })).data.recording_count,
      ).toBe(1)
      expect((await remove()).status).toBe(200)
    },
  )
})

test('of many selected recordings those on hold stay, and are named', async () => {
  const free = await uploadDialogue(server, owner.accessToken)
  await kinds.recording()
  const body = { selection: { ids: [recordingId, free] } }
  const { data } = await server.call(api.library.remove, { body, token: owner.accessToken })
  expect(data).toMatchObject({ removed: 1, ids: [free], held_ids: [recordingId] })
})

test('once lifted, everything can be deleted again, and nothing is left', async () => {
  await kinds.recording()
  await server.call(api.recordings.update, { ...ofRecording(), body: { name: 'other' }, token: owner.accessToken })
  const lift = { ...ofRecording(), body: { reason: 'Closed' }, token: owner.accessToken }
  expect((await server.call(api.holds.lift, lift)).status).toBe(200)
  expect((await server.call(api.recordings.remove, { ...ofRecording(), token: owner.accessToken })).status).toBe(200)
  expect(
    await connection()
      .collection('kept_states')
      .countDocuments({ ownerId: toObjectId(owner.id) }),
  ).toBe(0)
})
