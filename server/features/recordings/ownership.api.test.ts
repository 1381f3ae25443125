import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { Note } from '#contract/notes.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { startTestServer, type CallResult, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'

let server: TestServer
let owner: SignedInUser
let recordingId: string
let jobId: string
let noteId: string
const others: Record<string, SignedInUser> = {}

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createSignedIn()
  others['another user'] = await server.createSignedIn()
  others['an admin'] = await server.createSignedIn({ role: 'admin' })
  others['a super admin'] = await server.createSignedIn({ role: 'super_admin' })
  recordingId = await uploadDialogue(server, owner.accessToken)
  await call(owner, api.audio.transcribe, { body: { file_id: recordingId }, headers: { Prefer: 'respond-async' } })
  const job = await finishNextJob(server.services.work.queue, makeTranscription(), ['ps'])
  jobId = job.id
  const note = await call(owner, api.editing.addNote, { params: { id: recordingId }, body: { time: 1, text: 'own' } })
  noteId = Note.parse(note.data).id
})
afterAll(() => server.close())

type AnyResult = CallResult<EndpointSpec>

interface Call {
  params?: object
  body?: object
  headers?: Record<string, string>
}

function call(user: SignedInUser | undefined, spec: EndpointSpec, input: Call) {
  const callAny = server.call as (spec: EndpointSpec, input: Call & { token: string | undefined }) => Promise<AnyResult> // the table mixes endpoints
  return callAny(spec, { ...input, token: user?.accessToken })
}

/** Every call that refers by id to something that belongs to a user. */
const calls: [name: string, spec: EndpointSpec, input: () => Call][] = [
  ['read the recording', api.recordings.get, () => ({ params: { id: recordingId } })],
  ['rename it', api.recordings.update, () => ({ params: { id: recordingId }, body: { name: 'mine' } })],
  [
    'correct its speakers',
    api.recordings.correctSpeakers,
    () => ({ params: { id: recordingId }, body: { corrections: noSpeakerCorrections, version: 1 } }),
  ],
  ['delete it', api.recordings.remove, () => ({ params: { id: recordingId } })],
  ['tag it', api.library.tag, () => ({ body: { selection: { ids: [recordingId] }, add: ['mine'] } })],
  ['remove it from the library', api.library.remove, () => ({ body: { selection: { ids: [recordingId] } } })],
  ['restore it', api.library.restore, () => ({ body: { ids: [recordingId] } })],
  ['export it', api.recordings.export, () => ({ params: { id: recordingId } })],
  [
    'change its lines',
    api.editing.changeLines,
    () => ({
      params: { id: recordingId },
      body: { transcription_id: jobId, revision: 0, changes: [{ from: [0], lines: null }] },
    }),
  ],
  ['list its possible hits', api.recordings.possibleHits, () => ({ params: { id: recordingId } })],
  ['list its versions', api.editing.listVersions, () => ({ params: { id: recordingId } })],
  ['read a version of it', api.editing.getVersion, () => ({ params: { id: recordingId, transcription_id: jobId } })],
  [
    'restore a version of it',
    api.editing.restoreVersion,
    () => ({ params: { id: recordingId, transcription_id: jobId } }),
  ],
  ['see its waveform', api.recordings.peaks, () => ({ params: { id: recordingId } })],
  ['list its notes', api.editing.listNotes, () => ({ params: { id: recordingId } })],
  ['add a note to it', api.editing.addNote, () => ({ params: { id: recordingId }, body: { time: 0 } })],
  [
    'change its note',
    api.editing.changeNote,
    () => ({ params: { id: recordingId, note_id: noteId }, body: { text: 'mine' } }),
  ],
  ['delete its note', api.editing.removeNote, () => ({ params: { id: recordingId, note_id: noteId } })],
  ['list its reviewed hits', api.editing.listReviewedHits, () => ({ params: { id: recordingId } })],
  [
    'mark its hits',
    api.editing.reviewHit,
    () => ({ params: { id: recordingId }, body: { hits: ['x'], is_reviewed: true } }),
  ],
  ['read what was heard of it', api.review.getHeard, () => ({ params: { id: recordingId } })],
  ['hear it', api.review.addHeard, () => ({ params: { id: recordingId }, body: { channels: [[[0, 500]]] } })],
  ['list its marked lines', api.review.listMarks, () => ({ params: { id: recordingId } })],
  [
    'verify its lines',
    api.review.markLines,
    () => ({ params: { id: recordingId }, body: { lines: [{ start: 0, end: 1, text: 'x' }], is_verified: true } }),
  ],
  ['play it', api.audio.play, () => ({ params: { id: recordingId } })],
  ['transcribe it', api.audio.transcribe, () => ({ body: { file_id: recordingId } })],
  ['diarize it', api.audio.diarize, () => ({ body: { file_id: recordingId } })],
  ['store a translation with it', api.audio.translate, () => ({ body: { text: 'سلام', recording_id: recordingId } })],
  [
    'translate its transcription',
    api.audio.translateSpeakers,
    () => ({ body: { transcription_data: { transcription_id: jobId } } }),
  ],
  ['translate its text', api.audio.translate, () => ({ body: { transcription_id: jobId } })],
  ['read its job', api.jobs.get, () => ({ params: { id: jobId } })],
  ['cancel its job', api.jobs.cancel, () => ({ params: { id: jobId } })],
]

describe.each(['another user', 'an admin', 'a super admin'])('%s', (who) => {
  test.each(calls)('cannot %s', async (_name, spec, input) => {
    const answer = await call(others[who], spec, input())
    expect(answer.error).toMatchObject({ code: 'not_found' })
  })

  test('sees nothing of it in lists and figures', async () => {
    const token = others[who]?.accessToken
    expect((await server.call(api.recordings.list, { token })).data).toMatchObject({ recordings: [], total: 0 })
    expect((await server.call(api.library.list, { token })).data).toMatchObject({ recordings: [], total: 0 })
    expect((await server.call(api.library.facets, { token })).data).toMatchObject({ total: 0, tags: [] })
    expect((await server.call(api.recordings.stats, { token })).data).toMatchObject({ totalFiles: 0, totalDuration: 0 })
  })
})

test.each([
  ...calls,
  ['upload', api.audio.upload, () => ({})] as const,
  ['listen', api.jobs.events, () => ({})] as const,
])('nobody can %s without signing in', async (_name, spec, input) => {
  const answer = await call(undefined, spec, input())
  expect(answer.error).toMatchObject({ code: 'session_missing' })
})

test('the owner still has it all', async () => {
  const { data } = await server.call(api.recordings.get, { params: { id: recordingId }, token: owner.accessToken })
  expect(data).toMatchObject({ name: 'call.wav', transcription_id: jobId, transcription: { num_speakers: 2 } })
  const listed = await server.call(api.editing.listNotes, { params: { id: recordingId }, token: owner.accessToken })
  expect(listed.data.notes).toMatchObject([{ id: noteId, text: 'own' }])
})
