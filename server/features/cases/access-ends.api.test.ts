import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { openEvents } from '#testing/event-stream.ts'
import { takeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { storeFinishedJob } from '#testing/stored-work.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'

const { cases } = api

let server: TestServer
let owner: SignedInUser
let member: SignedInUser
let admin: SignedInUser
let caseId: string
/** The owner's recording, kept across all tests. */
let kept: string
/** The recording in the case. */
let recordingId: string

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.createSignedIn({ role: 'super_admin' })
  owner = await server.createSignedIn()
  kept = await uploadDialogue(server, owner.accessToken)
})
afterAll(() => server.close())

beforeEach(async () => {
  member = await server.createSignedIn()
  caseId = (await server.call(cases.create, { ...as(owner), body: { name: 'Bridge' } })).data.id
  const body = { email: member.email, role: 'edit' as const }
  await server.call(cases.setMember, { ...as(owner), params: { id: caseId }, body })
  await share(kept)
})

async function share(id: string) {
  recordingId = id
  const body = { selection: { ids: [id] } }
  await server.call(cases.addRecordings, { ...as(owner), params: { id: caseId }, body })
}

const as = (user: SignedInUser) => ({ token: user.accessToken })

/** Returns the response statuses for the details of the recording, its audio, and a range of the audio. */
async function statuses(user = member) {
  const params = { id: recordingId }
  const range = { headers: { Range: 'bytes=0-9' } }
  const answers = [
    await server.call(api.recordings.get, { ...as(user), params }),
    await server.call(api.audio.play, { ...as(user), params }),
    await server.call(api.audio.play, { ...as(user), params, ...range }),
  ]
  return answers.map(({ status }) => status)
}

describe('a member reads no more', () => {
  const ends: [when: string, end: () => Promise<{ status: number }>, isRecordingLost?: true][] = [
    ['after leaving', () => server.call(cases.leave, { ...as(member), params: { id: caseId } })],
    [
      'when removed',
      () => server.call(cases.removeMember, { ...as(owner), params: { id: caseId, user_id: member.id } }),
    ],
    ['when the case is deleted', () => server.call(cases.remove, { ...as(owner), params: { id: caseId } })],
    [
      'when the recording is taken out',
      () => server.call(cases.removeRecording, { ...as(owner), params: { id: caseId, recording_id: recordingId } }),
    ],
    [
      'when the recording is deleted',
      () => server.call(api.recordings.remove, { ...as(owner), params: { id: recordingId } }),
      true,
    ],
    [
      'when it is removed from the library',
      () => server.call(api.library.remove, { ...as(owner), body: { selection: { ids: [recordingId] } } }),
      true,
    ],
  ]

  test.each(ends)('%s', async (_, end, isRecordingLost) => {
    if (isRecordingLost) await share(await uploadDialogue(server, owner.accessToken))
    expect(await statuses()).toEqual([200, 200, 206])
    expect((await end()).status).toBe(200)
    expect(await statuses()).toEqual([404, 404, 404])
  })

  test('nor what was made of a recording that is removed from the library', async () => {
    await share(await uploadDialogue(server, owner.accessToken))
    const id = await storeFinishedJob(server.services.work.queue, {
      ownerId: owner.id,
      recordingId,
      params: { kind: 'transcribe', language: 'ps', channelLanguages: null },
      workKey: recordingId,
      outcome: { result: makeTranscription(), languages: ['ps'] },
    })
    const read = async () => (await server.call(api.jobs.get, { ...as(member), params: { id } })).status
    expect(await read()).toBe(200)
    await server.call(api.library.remove, { ...as(owner), body: { selection: { ids: [recordingId] } } })
    expect(await read()).toBe(404)
  })

  test('while deactivated', async () => {
    await server.call(api.admin.setStatus, { ...as(admin), params: { id: member.id }, body: { is_active: false } })
    expect(await statuses()).toEqual([401, 401, 401])
    const details = await server.call(cases.get, { ...as(owner), params: { id: caseId } })
    expect(details.data.members).toContainEqual(expect.objectContaining({ id: member.id, is_active: false }))
  })
})

test("what a member who leaves brought along leaves the case, and its owner's recordings stay", async () => {
  const params = { id: caseId }
  const brought = await uploadDialogue(server, member.accessToken)
  await server.call(cases.addRecordings, { ...as(member), params, body: { selection: { ids: [brought] } } })
  expect((await server.call(api.recordings.get, { ...as(owner), params: { id: brought } })).data.access).toBe('edit')
  await server.call(cases.leave, { ...as(member), params })
  expect((await server.call(api.recordings.get, { ...as(owner), params: { id: brought } })).error.code).toBe(
    'not_found',
  )
  expect((await server.call(cases.listRecordings, { ...as(owner), params })).data).toMatchObject({
    total: 1,
    recordings: [{ recording: { id: recordingId }, access: 'owner' }],
  })
})

test('edits of two people in different lines are both kept, in one line the second is told', async () => {
  const params = { kind: 'transcribe' as const, language: 'ps' as const, channelLanguages: null, names: [] }
  const work = { ownerId: owner.id, recordingId, params, workKey: `transcribe:${caseId}` }
  const outcome = { result: makeTranscription(), languages: ['ps'] }
  const transcriptionId = await storeFinishedJob(server.services.work.queue, { ...work, outcome })
  const [first, second] = makeTranscription().segments
  const change = (user: SignedInUser, index: number, line: typeof first, text: string) => {
    const { start = 0, end = 0, speaker } = line ?? {}
    const lines = [{ start, end, text, ...(speaker !== undefined && { speaker }) }]
    const body = { transcription_id: transcriptionId, revision: 0, changes: [{ from: [index], lines }] }
    return server.call(api.editing.changeLines, { ...as(user), params: { id: recordingId }, body })
  }
  expect((await change(owner, 0, first, 'of the owner')).status).toBe(200)
  expect((await change(member, 1, second, 'of the member')).data.edits).toMatchObject([
    { lines: [{ text: 'of the owner' }] },
    { lines: [{ text: 'of the member' }] },
  ])
  expect((await change(member, 0, first, 'too late')).error.code).toBe('conflict')
})

test('a member is told what others change and which work begins and ends, and nothing after leaving', async () => {
  const stream = await openEvents(server.url, member.accessToken)
  try {
    const told = () => stream.events.filter((event) => event.type === 'recording' && event.recording_id === recordingId)
    const toldWork = () => told().filter((event) => !('content_version' in event))
    await vi.waitFor(() => expect(stream.events[0]?.type).toBe('snapshot'))
    const note = { params: { id: recordingId }, body: { time: 0 } }
    await server.call(api.editing.addNote, { ...as(owner), ...note })
    await vi.waitFor(() => expect(told()).toContainEqual(expect.objectContaining({ change: 'changed' })))
    const headers = { Prefer: 'respond-async' }
    await server.call(api.audio.transcribe, { ...as(owner), headers, body: { file_id: recordingId } })
    await vi.waitFor(() => expect(toldWork()).toHaveLength(1))
    await takeJob(server.services.work.queue)
    await vi.waitFor(() => expect(toldWork()).toHaveLength(2))
    expect(stream.events.some(({ type }) => type === 'job')).toBe(false)

    await server.call(cases.leave, { ...as(member), params: { id: caseId } })
    const before = told().length
    await server.call(api.editing.addNote, { ...as(owner), ...note })
    const own = await uploadDialogue(server, member.accessToken)
    await vi.waitFor(() => expect(JSON.stringify(stream.events)).toContain(own))
    expect(told()).toHaveLength(before)
  } finally {
    stream.close()
  }
})

test('who opens, edits and exports a recording of somebody else stands in the audit trail, opening once an hour', async () => {
  const params = { id: recordingId }
  for (let times = 0; times < 3; times += 1) await server.call(api.recordings.get, { ...as(member), params })
  await server.call(api.recordings.get, { ...as(owner), params })
  const note = { ...as(member), params, body: { time: 0, text: 'mine' } }
  await server.call(api.editing.addNote, note)
  await server.call(api.editing.addNote, note)
  await server.call(api.recordings.export, { ...as(member), params })
  const read = async (reader = admin) => {
    const query = { search: member.email, per_page: 100 }
    const { data } = await server.call(api.admin.audit, { ...as(reader), query })
    const own = data.events.filter(({ actor, recording_id: id }) => actor === member.email && id === recordingId)
    return own.map(({ action }) => action)
  }
  expect((await read()).toSorted()).toEqual(['recording.edit', 'recording.export', 'recording.open'])
  server.clock.advance(61 * 60_000)
  const renewed = await server.call(api.auth.refresh, { body: { refresh_token: member.refreshToken } })
  await server.call(api.recordings.get, { token: renewed.data.access_token, params })
  const later = await server.createSignedIn({ role: 'admin' })
  expect((await read(later)).filter((action) => action === 'recording.open')).toHaveLength(2)
})
