import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api, listEndpoints } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import { readKeptStates } from '#data/holds/kept-states.ts'
import { toObjectId } from '#data/ids.ts'
import { startTestServer, type CallResult, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import {
  correctSpeakersOf,
  makeWorkedOn,
  markedLine,
  putOnHold,
  readAllStored,
  type RecordingWithWork,
} from '#testing/recording-with-work.ts'

// Every endpoint that could delete any part of a recording or a case, while the recording or its case is on legal hold.
let server: TestServer
let made: RecordingWithWork
let admin: SignedInUser
let superAdmin: SignedInUser

const connection = () => server.services.database.connection
const snapshot = () => readAllStored(server, made)

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.createSignedIn({ role: 'admin' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})
afterAll(() => server.close())
beforeEach(async () => {
  made = await makeWorkedOn(server)
})

const selected = () => ({ selection: { ids: [made.recordingId] } })

interface Call {
  params?: object
  query?: object
  body?: object
}

const callers = {
  owner: () => made.owner,
  member: () => made.member,
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
  /** Set if the call is about the case itself: only a hold on the case affects it. By default a hold on either does. */
  of?: 'case'
}

const ofRecording = () => ({ params: { id: made.recordingId } })
const ofCase = () => ({ params: { id: made.caseId } })

/** These delete and are refused. */
const refused: Record<string, Deletion> = {
  'recordings.remove': { input: ofRecording },
  'library.remove': { input: () => ({ body: selected() }) },
  'library.tag': { input: () => ({ body: { ...selected(), remove: ['mine'] } }) },
  'cases.remove': { of: 'case', input: ofCase },
  'cases.removeRecording': {
    of: 'case',
    input: () => ({ params: { id: made.caseId, recording_id: made.recordingId } }),
  },
  'editing.removeNote': { by: 'member', input: () => ({ params: { id: made.recordingId, note_id: made.noteId } }) },
  'editing.changeNote': {
    input: () => ({ params: { id: made.recordingId, note_id: made.noteId }, body: { text: '' } }),
  },
  'editing.reviewHit': { input: () => ({ ...ofRecording(), body: { hits: ['x'], is_reviewed: false } }) },
  'review.markLines': { input: () => ({ ...ofRecording(), body: { lines: [markedLine], is_verified: false } }) },
  'admin.deleteUser': { by: 'admin', input: () => ({ params: { id: made.owner.id } }) },
  'superAdmin.deleteUser': { by: 'superAdmin', input: () => ({ params: { id: made.owner.id } }) },
}

/** These change what people wrote and keep the previous text. */
const keeping: Record<string, Deletion & { kind: string }> = {
  'recordings.update': { kind: 'name', input: () => ({ ...ofRecording(), body: { name: 'other' } }) },
  'recordings.correctSpeakers': { kind: 'speakers', input: ofRecording },
  'editing.changeLines': {
    kind: 'lines',
    input: () => ({
      ...ofRecording(),
      body: { transcription_id: made.jobId, revision: 1, changes: [{ from: [0], lines: null }] },
    }),
  },
  'cases.update': { of: 'case', kind: 'case_notes', input: () => ({ ...ofCase(), body: { notes: 'second' } }) },
  'wordLists.replaceOfCase': {
    of: 'case',
    kind: 'case_words',
    input: () => ({ ...ofCase(), body: { revision: 1, words: [] } }),
  },
}

/** These end access and leave everything on hold in place. */
const leaving: Record<string, Deletion> = {
  'cases.leave': { by: 'member', input: ofCase },
  'cases.removeMember': { by: 'owner', input: () => ({ params: { id: made.caseId, user_id: made.member.id } }) },
}

/** Tested separately below. */
const special = ['admin.bulkUsers', 'holds.set', 'holds.lift', 'holds.setOfCase', 'holds.liftOfCase']

/** Endpoints that remove no part of a recording or a case. */
const others = [
  // Accounts, sign-in and settings, which are not part of a recording.
  /^(auth|profile|passkeys|sso|signInAdmin|invitations|recovery|keywords|reportTemplates|integrations|models|upkeep|watchFolder)\./,
  /^admin\.(updateUser|resetTwoFactor|setRole|setStatus|unlockUser|revokeSessions|endSession)$/,
  /^superAdmin\.(createUser|resetPassword|setRole|sendMail|testMail)$/,
  // These only add.
  /^audio\.(upload|transcribe|translate|translateSpeakers|diarize)$/,
  /^uploads\.(create|send|finish)$/,
  // Parts of a file are not a recording yet.
  /^uploads\.discard$/,
  /^cases\.(create|setMember|addRecordings)$/,
  /^editing\.(addNote|restoreVersion)$/,
  /^review\.addHeard$/,
  // Nothing on hold is in the trash.
  /^library\.(restore|emptyTrash|saveFilter)$/,
  /^batches\.(create|preview|retryFailed|export)$/,
  // Cancelled work has written nothing yet; saved filters and watch lists belong to the user.
  /^(jobs|batches)\.cancel$/,
  /^library\.removeFilter$/,
  /^alerts\./,
  /^wordLists\.replaceOwn$/,
  /^retention\./, // covered by the schedule tests below
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
  beforeEach(() => putOnHold(server, made, kind))

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
          ? await correctSpeakersOf(server, made, noSpeakerCorrections)
          : await callAs(by, specOf(name), input())
      expect(answer.status).toBe(200)
      const kept = []
      const subjectId = of === 'case' ? made.caseId : made.recordingId
      for await (const each of readKeptStates(connection(), { ownerId: made.owner.id, subjectId })) kept.push(each)
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
    const body = { action: 'delete' as const, ids: [made.owner.id, other.id] }
    const { data } = await server.call(api.admin.bulkUsers, { body, token: admin.accessToken })
    expect(data).toMatchObject({
      done: 1,
      failed: [{ id: made.owner.id, error: expect.stringContaining('legal hold') }],
    })
    expect(await snapshot()).toEqual(before)
    expect((await server.services.users.findById(made.owner.id))?.isActive).toBe(true)
  })
})

describe('with a hold of the case', () => {
  beforeEach(async () => {
    const token = made.owner.accessToken
    await server.call(api.cases.setMember, {
      token: token,
      params: { id: made.caseId },
      body: { email: made.member.email, role: 'edit' },
    })
  })

  test.each(Object.entries(leaving))(
    '%s ends access, and what the member brought along stays held',
    async (name, row) => {
      const memberRecording = await uploadDialogue(server, made.member.accessToken)
      const body = { selection: { ids: [memberRecording] } }
      await server.call(api.cases.addRecordings, { token: made.member.accessToken, params: { id: made.caseId }, body })
      await putOnHold(server, made, 'case')
      expect((await callAs(row.by ?? 'owner', specOf(name), row.input())).status).toBe(200)
      const get = (token: string) => server.call(api.recordings.get, { params: { id: memberRecording }, token })
      expect((await get(made.owner.accessToken)).status).toBe(404)
      expect((await get(made.member.accessToken)).data.is_held).toBe(true)
      const remove = () =>
        server.call(api.recordings.remove, { params: { id: memberRecording }, token: made.member.accessToken })
      expect((await remove()).error.code).toBe('on_hold')

      const lift = { params: { id: made.caseId }, body: { reason: 'Closed' }, token: made.owner.accessToken }
      expect((await server.call(api.holds.liftOfCase, lift)).status).toBe(200)
      expect((await get(made.member.accessToken)).data.is_held).toBeUndefined()
      expect(
        (await server.call(api.cases.get, { params: { id: made.caseId }, token: made.owner.accessToken })).data
          .recording_count,
      ).toBe(1)
      expect((await remove()).status).toBe(200)
    },
  )
})

test('of many selected recordings those on hold stay, and are named', async () => {
  const free = await uploadDialogue(server, made.owner.accessToken)
  await putOnHold(server, made, 'recording')
  const body = { selection: { ids: [made.recordingId, free] } }
  const { data } = await server.call(api.library.remove, { body, token: made.owner.accessToken })
  expect(data).toMatchObject({ removed: 1, ids: [free], held_ids: [made.recordingId] })
})

test('once lifted, everything can be deleted again, and nothing is left', async () => {
  await putOnHold(server, made, 'recording')
  await server.call(api.recordings.update, { ...ofRecording(), body: { name: 'other' }, token: made.owner.accessToken })
  const lift = { ...ofRecording(), body: { reason: 'Closed' }, token: made.owner.accessToken }
  expect((await server.call(api.holds.lift, lift)).status).toBe(200)
  expect((await server.call(api.recordings.remove, { ...ofRecording(), token: made.owner.accessToken })).status).toBe(
    200,
  )
  expect(
    await connection()
      .collection('kept_states')
      .countDocuments({ ownerId: toObjectId(made.owner.id) }),
  ).toBe(0)
})
