import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { completeJob } from '#data/queue/lease.ts'
import { createProgressWriter } from '#data/queue/progress.ts'
import { sessionModel } from '#data/accounts/session-models.ts'
import { openEvents, type EventStream } from '#testing/event-stream.ts'
import { makeJob, takeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'
import { toObjectId } from './long-work.ts'

let server: TestServer
let user: SignedInUser
const streams: EventStream[] = []

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
  await queue().jobs.deleteMany({})
})
afterEach(() => streams.splice(0).forEach((stream) => stream.close()))
afterAll(() => server.close())

const queue = () => server.services.work.queue

async function listen(listener: SignedInUser = user): Promise<EventStream> {
  const stream = await openEvents(server.url, listener.accessToken)
  streams.push(stream)
  return stream
}

const progress = {
  current_segment: 1,
  total_segments: 3,
  detected_language: 'ps',
  language_probability: 0.9,
  latest_segment: null,
  partial_text: 'سلام',
  partial_segments: [{ start: 1, end: 2, text: 'سلام', speaker: 'Speaker A', channel: 0, language: 'fa' }],
}
const ownJob = () => makeJob(queue(), { ownerId: toObjectId(user.id), params: transcription })
const transcription = { kind: 'transcribe' as const, language: 'ps' as const, channelLanguages: null, names: [] }

test('a stream begins with what waits, runs and ended just now, and says it must not be buffered', async () => {
  const job = await ownJob()
  const stream = await listen()
  await vi.waitFor(() => expect(stream.events[0]).toMatchObject({ type: 'snapshot', jobs: [{ state: 'queued' }] }))
  expect(stream.headers.get('Content-Type')).toContain('text/event-stream')
  expect(stream.headers.get('X-Accel-Buffering')).toBe('no')
  await completeJob(queue(), await takeJob(queue()), { result: makeTranscription(), languages: ['ps'] })
  const again = await listen()
  await vi.waitFor(() =>
    expect(again.events[0]).toMatchObject({ jobs: [{ id: job._id.toHexString(), state: 'done' }] }),
  )
})

test('progress and the end of a job arrive within two seconds', async () => {
  const stream = await listen()
  const job = await ownJob()
  const id = job._id.toHexString()
  const taken = await takeJob(queue())
  await createProgressWriter(queue(), taken)(progress)
  await vi.waitFor(() => expect(stream.events).toContainEqual(jobEvent({ id, state: 'running', progress })), 2000)
  await completeJob(queue(), taken, { result: makeTranscription(), languages: ['ps'] })
  await vi.waitFor(() => expect(stream.events).toContainEqual(jobEvent({ id, state: 'done' })), 2000)
})

test('a waiting job hears that it moved up', async () => {
  await makeJob(queue())
  const job = await ownJob()
  const stream = await listen()
  const id = job._id.toHexString()
  await vi.waitFor(() => expect(stream.events[0]).toMatchObject({ jobs: [{ id, queue_position: 2 }] }))
  await takeJob(queue())
  await vi.waitFor(() => expect(stream.events).toContainEqual(jobEvent({ id, queue_position: 1 })), 3000)
})

test('uploads, renames and deletions are told', async () => {
  const stream = await listen()
  const id = await uploadDialogue(server, user.accessToken)
  await vi.waitFor(() => expect(stream.events).toContainEqual(recordingEvent(id, 'created')), 3000)
  await server.call(api.recordings.update, { params: { id }, body: { name: 'new' }, token: user.accessToken })
  await vi.waitFor(() => expect(stream.events).toContainEqual(recordingEvent(id, 'changed')), 3000)
  await server.call(api.recordings.remove, { params: { id }, token: user.accessToken })
  await vi.waitFor(() => expect(stream.events).toContainEqual(recordingEvent(id, 'deleted')), 3000)
})

test("another user's events never come", async () => {
  const other = await listen(await server.createSignedIn())
  const own = await listen()
  const job = await ownJob()
  await vi.waitFor(() => expect(own.events).toContainEqual(jobEvent({ id: job._id.toHexString() })), 3000)
  await uploadDialogue(server, user.accessToken)
  await vi.waitFor(() => expect(own.events.some(({ type }) => type === 'recording')).toBe(true), 3000)
  expect(other.events).toEqual([{ type: 'snapshot', jobs: [] }])
})

test('signing out closes the stream of that session and no other', async () => {
  const stream = await listen()
  const other = await listen(await server.createSignedIn())
  await server.call(api.auth.signOut, { body: { refresh_token: user.refreshToken } })
  await stream.ended
  expect(stream.events.at(-1)).toEqual({ type: 'closed', reason: 'signed_out' })
  await vi.waitFor(() => expect(other.events).toHaveLength(1))
})

test('a session that another server ended closes the stream', async () => {
  const stream = await listen()
  await sessionModel(server.services.database.connection).deleteMany({ userId: toObjectId(user.id) })
  await stream.ended
  expect(stream.events.at(-1)).toEqual({ type: 'closed', reason: 'revoked' })
})

test('a server that stops says so', async () => {
  const stopping = await startTestServer()
  const listener = await stopping.createSignedIn()
  const stream = await openEvents(stopping.url, listener.accessToken)
  stopping.services.work.endStreams()
  await stream.ended
  expect(stream.events.at(-1)).toEqual({ type: 'closed', reason: 'shutdown' })
  await stopping.close()
})

function jobEvent(job: object) {
  return { type: 'job', job: expect.objectContaining(job) }
}

function recordingEvent(id: string, change: string) {
  return { type: 'recording', recording_id: id, change }
}
