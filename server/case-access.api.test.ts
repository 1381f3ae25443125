import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api, listEndpoints } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { Note } from '#contract/notes.ts'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { startTestServer, type CallResult, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'

// What each role in a case may do with somebody else's recording, for every endpoint that touches recordings.
let server: TestServer
let recordingId: string
let jobId: string
let caseId: string
const people: Record<string, SignedInUser> = {}

/** The callers; none of them owns the recording. */
const roles = [
  'the owner of the case',
  'a member with edit',
  'a member with view',
  'a removed member',
  'one who left',
  'an outsider',
  'an admin',
] as const
type Role = (typeof roles)[number]
const editors: Role[] = ['the owner of the case', 'a member with edit']
const readers: Role[] = [...editors, 'a member with view']

beforeAll(async () => {
  server = await startTestServer()
  people.owner = await server.createSignedIn()
  for (const role of roles) people[role] = await server.createSignedIn({ role: role === 'an admin' ? 'admin' : 'user' })
  const token = people.owner.accessToken
  recordingId = await uploadDialogue(server, token)
  await server.call(api.audio.transcribe, {
    token,
    body: { file_id: recordingId },
    headers: { Prefer: 'respond-async' },
  })
  jobId = (await finishNextJob(server.services.work.queue, makeTranscription(), ['ps'])).id
  const owner = people['the owner of the case']?.accessToken
  caseId = (await server.call(api.cases.create, { token: owner, body: { name: 'Bridge' } })).data.id
  const params = { id: caseId }
  const invite = (user: SignedInUser | undefined, role: 'edit' | 'view') =>
    server.call(api.cases.setMember, { token: owner, params, body: { email: user?.email ?? '', role } })
  await invite(people.owner, 'edit')
  await invite(people['a member with edit'], 'edit')
  await invite(people['a member with view'], 'view')
  await invite(people['a removed member'], 'edit')
  await invite(people['one who left'], 'edit')
  await server.call(api.cases.addRecordings, { token, params, body: { selection: { ids: [recordingId] } } })
  const removed = { id: caseId, user_id: people['a removed member']?.id ?? '' }
  await server.call(api.cases.removeMember, { token: owner, params: removed })
  await server.call(api.cases.leave, { token: people['one who left']?.accessToken, params })
})
afterAll(() => server.close())

interface Call {
  params?: object
  query?: object
  body?: object
}

function call(role: string, spec: EndpointSpec, input: Call) {
  const callAny = server.call as (
    spec: EndpointSpec,
    input: Call & { token?: string },
  ) => Promise<CallResult<EndpointSpec>> // the table mixes endpoints
  return callAny(spec, { ...input, ...(people[role] && { token: people[role].accessToken }) })
}

const ofRecording = () => ({ params: { id: recordingId } })
const ofJob = () => ({ params: { id: jobId } })
const ofVersion = () => ({ params: { id: recordingId, transcription_id: jobId } })
const selected = () => ({ selection: { ids: [recordingId] } })

async function addNote() {
  const { data } = await call('owner', api.editing.addNote, { ...ofRecording(), body: { time: 1 } })
  return { id: recordingId, note_id: Note.parse(data).id }
}

type Input = () => Call | Promise<Call>

/** Members may read these. */
const reading: Record<string, Input> = {
  'recordings.get': ofRecording,
  'recordings.possibleHits': ofRecording,
  'recordings.export': ofRecording,
  'recordings.peaks': ofRecording,
  'recordings.spectrogram': ofRecording,
  'recordings.clip': ofRecording,
  'audio.play': ofRecording,
  'editing.listVersions': ofRecording,
  'editing.getVersion': ofVersion,
  'editing.listNotes': ofRecording,
  'editing.listReviewedHits': ofRecording,
  'review.getHeard': ofRecording,
  'review.addHeard': () => ({ ...ofRecording(), body: { channels: [[[0, 500]]] } }),
  'review.listMarks': ofRecording,
  'cases.ofRecording': ofRecording,
  'jobs.get': ofJob,
}
/** Members with `edit` may correct these. */
const correcting: Record<string, Input> = {
  'recordings.correctSpeakers': async () => {
    const { data } = await server.call(api.recordings.get, {
      params: { id: recordingId },
      token: people.owner?.accessToken,
    })
    return { ...ofRecording(), body: { corrections: noSpeakerCorrections, version: data.speaker_corrections_version } }
  },
  'editing.changeLines': () => ({
    ...ofRecording(),
    body: { transcription_id: jobId, revision: 0, changes: [{ from: [0], lines: null }] },
  }),
  'editing.addNote': () => ({ ...ofRecording(), body: { time: 0 } }),
  'editing.changeNote': async () => ({ params: await addNote(), body: { text: 'changed' } }),
  'editing.removeNote': async () => ({ params: await addNote() }),
  'editing.reviewHit': () => ({ ...ofRecording(), body: { hits: ['x'], is_reviewed: true } }),
  'review.markLines': () => ({
    ...ofRecording(),
    body: { lines: [{ start: 0, end: 1, text: 'x' }], is_verified: true },
  }),
}
/** Only the owner of the recording can do these. */
const owning: Record<string, Input> = {
  'recordings.update': () => ({ ...ofRecording(), body: { name: 'mine' } }),
  'recordings.remove': ofRecording,
  'activity.ofRecording': ofRecording,
  'editing.restoreVersion': ofVersion,
  'audio.transcribe': () => ({ body: { file_id: recordingId } }),
  'audio.diarize': () => ({ body: { file_id: recordingId } }),
  'audio.translate': () => ({ body: { transcription_id: jobId } }),
  'audio.translateSpeakers': () => ({ body: { transcription_data: { transcription_id: jobId } } }),
  'jobs.cancel': ofJob,
  'library.tag': () => ({ body: { ...selected(), add: ['mine'] } }),
  'library.remove': () => ({ body: selected() }),
  'library.restore': () => ({ body: { ids: [recordingId] } }),
  'library.emptyTrash': () => ({ body: { ids: [recordingId] } }),
  'batches.create': () => ({ body: { ...selected(), transcribe: { language: 'ps' } } }),
  'batches.export': () => ({ body: { ...selected(), formats: ['txt'] } }),
}
/** These list the caller's own records, which do not include a recording of a case. */
const listing: Record<string, Call> = {
  'recordings.list': {},
  'recordings.stats': {},
  'library.list': {},
  'library.listTrash': {},
  'library.storage': {},
  'library.facets': {},
  'search.find': { query: { q: 'call' } },
  'alerts.list': {},
  'alerts.count': {},
  'batches.list': {},
}
/** Groups and endpoints that do not concern recordings, that only take ids of the user's own records, or that are tested elsewhere. */
const others = [
  /^(auth|profile|admin|superAdmin|invitations|passkeys|sso|signInAdmin|keywords|reportTemplates|system|models|upkeep|integrations|recovery|watchFolder|uploads)\./,
  /^cases\.(?!ofRecording$)/, // server/features/cases/cases.api.test.ts
  /^(holds|retention)\./, // server/features/holds/holds.api.test.ts
  /^wordLists\./, // server/features/word-lists/word-lists.api.test.ts
  /^audio\.upload$/,
  /^jobs\.events$/, // server/features/cases/access-ends.api.test.ts
  /^library\.(listFilters|saveFilter|removeFilter)$/,
  /^batches\.(preview|get|cancel|retryFailed)$/,
  /^alerts\.(setState|undo|.*WatchLists?|.*Scan|.*Digest)$/,
]

const specs = new Map(listEndpoints().map(({ name, spec }) => [name, spec]))
const names = (table: object) => Object.keys(table).filter((name) => specs.has(name))

async function callNamed(role: Role, name: string, input: Call) {
  const spec = specs.get(name)
  if (!spec) throw new Error(`There is no ${name}`)
  return call(role, spec, input)
}

test('the tables name every endpoint that touches recordings', () => {
  const named = [reading, correcting, owning, listing].flatMap(names)
  const missing = [...specs.keys()].filter((name) => !named.includes(name) && !others.some((other) => other.test(name)))
  expect(missing).toEqual([])
})

describe.each(roles)('%s', (role) => {
  test.each(names(reading))('%s', async (name) => {
    const answer = await callNamed(role, name, (await reading[name]?.()) ?? {})
    expect(answer.status < 300 ? 'read' : answer.error.code).toBe(readers.includes(role) ? 'read' : 'not_found')
  })

  test.each(names(correcting))('%s', async (name) => {
    const answer = await callNamed(role, name, (await correcting[name]?.()) ?? {})
    const refusal = readers.includes(role) ? 'forbidden' : 'not_found'
    expect(answer.status < 300 ? 'corrected' : answer.error.code).toBe(editors.includes(role) ? 'corrected' : refusal)
  })

  test.each(names(owning))('%s', async (name) => {
    const answer = await callNamed(role, name, (await owning[name]?.()) ?? {})
    expect(answer.error.code).toBe('not_found')
  })

  test.each(names(listing))('%s', async (name) => {
    const answer = await callNamed(role, name, listing[name] ?? {})
    expect(JSON.stringify(answer.raw)).not.toContain(recordingId)
  })
})

test('the owner still has it all', async () => {
  const { data } = await server.call(api.recordings.get, {
    params: { id: recordingId },
    token: people.owner?.accessToken,
  })
  expect(data).toMatchObject({ name: 'call.wav', access: 'owner', transcription_id: jobId })
})
