import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { ProgressEvent } from '#contract/entities/job.ts'
import { applyChanges, noText, type PartialText } from '#contract/progress-text.ts'
import { completeJob, releaseJob } from '#data/jobs/lease.ts'
import { createProgressWriter } from '#data/jobs/progress.ts'
import { sessionModel } from '#data/sessions/session-model.ts'
import { openEvents, type EventStream } from '#testing/event-stream.ts'
import { makeJob, takeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'
import { deleteAllJobs } from '#testing/stored-work.ts'

let server: TestServer
let user: SignedInUser
const streams: EventStream[] = []

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
  await deleteAllJobs(queue())
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
const ownJob = () => makeJob(queue(), { ownerId: user.id, params: transcription })
const transcription = { kind: 'transcribe' as const, language: 'ps' as const, channelLanguages: null, names: [] }

test('a stream begins with the waiting, running and just ended jobs, and forbids buffering', async () => {
  const job = await ownJob()
  const stream = await listen()
  await vi.waitFor(() => expect(stream.events[0]).toMatchObject({ type: 'snapshot', jobs: [{ state: 'queued' }] }))
  expect(stream.headers.get('Content-Type')).toContain('text/event-stream')
  expect(stream.headers.get('X-Accel-Buffering')).toBe('no')
  await completeJob(queue(), await takeJob(queue()), { result: makeTranscription(), languages: ['ps'] })
  const again = await listen()
  await vi.waitFor(() => expect(again.events[0]).toMatchObject({ jobs: [{ id: job.id, state: 'done' }] }))
})

test('progress and the end of a job arrive within two seconds', async () => {
  const stream = await listen()
  const job = await ownJob()
  const id = job.id
  const taken = await takeJob(queue())
  await createProgressWriter(queue(), taken)(progress)
  const { partial_text: _text, partial_segments: lines, ...head } = progress
  await vi.waitFor(() => expect(stream.events).toContainEqual(jobEvent({ id, state: 'running', progress: head })), 2000)
  await vi.waitFor(() => expect(textsOf(stream, id)).toEqual([{ lines, text: '' }]), 2000)
  await completeJob(queue(), taken, { result: makeTranscription(), languages: ['ps'] })
  await vi.waitFor(() => expect(stream.events).toContainEqual(jobEvent({ id, state: 'done' })), 2000)
})

test('the text of a job comes as what changed, in order, to streams opened before and after', async () => {
  const early = await listen()
  const job = await ownJob()
  const id = job.id
  const write = createProgressWriter(queue(), await takeJob(queue()))
  const line = (start: number) => ({ start, end: start + 1, text: `line ${start}`, channel: 0 })
  const linesTo = (count: number) => Array.from({ length: count }, (_, index) => line(index))
  await write({ ...progress, partial_segments: linesTo(300) })
  await vi.waitFor(() => expect(textsOf(early, id).at(-1)?.lines).toHaveLength(300), 5000)
  const late = await listen()
  await write({ ...progress, partial_segments: linesTo(302) })
  for (const stream of [early, late]) {
    await vi.waitFor(() => expect(textsOf(stream, id)).toEqual([{ lines: linesTo(302), text: '' }]), 5000)
  }
  const last = progressEvents(early, id).at(-1)
  expect(last).toMatchObject({
    since: 3,
    sequence: 4,
    changes: [{ at: 300, removed: 0, lines: [line(300), line(301)] }],
  })
})

test('an attempt that starts over begins a new text', async () => {
  const stream = await listen()
  const job = await ownJob()
  const id = job.id
  for (const text of ['first attempt', 'second']) {
    const taken = await takeJob(queue())
    await createProgressWriter(queue(), taken)({ ...progress, partial_segments: [], partial_text: text })
    await vi.waitFor(() => expect(textsOf(stream, id).at(-1)?.text).toBe(text), 5000)
    await releaseJob(queue(), taken)
  }
  expect(progressEvents(stream, id).map(({ since }) => since)).toEqual([0, 0])
})

test('one user opens 30 streams and no more, and another in place of one that closed', async () => {
  const token = (await server.createSignedIn()).accessToken
  const opened = await Promise.all(Array.from({ length: 30 }, () => openEvents(server.url, token)))
  streams.push(...opened)
  expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
  const refused = await server.call(api.jobs.events, { token })
  expect(refused.status).toBe(429)
  expect(refused.error).toMatchObject({ code: 'too_many_streams', help: expect.stringContaining('Close tabs') })
  await vi.waitFor(() => expect(opened[0]?.events).toHaveLength(1), 5000)
  opened[0]?.close()
  await vi.waitFor(async () => {
    const again = await openEvents(server.url, token)
    streams.push(again)
    expect(again.status).toBe(200)
  }, 5000)
})

test('a waiting job is sent again when it moves up', async () => {
  await makeJob(queue())
  const job = await ownJob()
  const stream = await listen()
  const id = job.id
  await vi.waitFor(() => expect(stream.events[0]).toMatchObject({ jobs: [{ id, queue_position: 2 }] }))
  await takeJob(queue())
  await vi.waitFor(() => expect(stream.events).toContainEqual(jobEvent({ id, queue_position: 1 })), 3000)
})

test('uploads, renames and deletions are sent', async () => {
  const stream = await listen()
  const id = await uploadDialogue(server, user.accessToken)
  await vi.waitFor(() => expect(stream.events).toContainEqual(recordingEvent(id, 'created')), 3000)
  await server.call(api.recordings.update, { params: { id }, body: { name: 'new' }, token: user.accessToken })
  await vi.waitFor(() => expect(stream.events).toContainEqual(recordingEvent(id, 'changed')), 3000)
  await server.call(api.recordings.remove, { params: { id }, token: user.accessToken })
  await vi.waitFor(() => expect(stream.events).toContainEqual(recordingEvent(id, 'deleted')), 3000)
})

test('a first stream does not repeat what changed before it was opened', async () => {
  const quiet = await startTestServer()
  try {
    const owner = await quiet.createSignedIn()
    const old = await uploadDialogue(quiet, owner.accessToken)
    await quiet.call(api.recordings.update, { params: { id: old }, body: { name: 'old' }, token: owner.accessToken })
    const stream = await openEvents(quiet.url, owner.accessToken)
    streams.push(stream)
    const added = await uploadDialogue(quiet, owner.accessToken)
    await vi.waitFor(() => expect(stream.events).toContainEqual(recordingEvent(added, 'created')), 3000)
    expect(stream.events).not.toContainEqual(expect.objectContaining({ recording_id: old }))
  } finally {
    await quiet.close()
  }
})

test("another user's events never come", async () => {
  const other = await listen(await server.createSignedIn())
  const own = await listen()
  const job = await ownJob()
  await vi.waitFor(() => expect(own.events).toContainEqual(jobEvent({ id: job.id })), 3000)
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
  await sessionModel(server.services.database.connection).deleteMany({ userId: user.id })
  await stream.ended
  expect(stream.events.at(-1)).toEqual({ type: 'closed', reason: 'revoked' })
})

test('a server that stops closes its streams with the reason', async () => {
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

function progressEvents(stream: EventStream, id: string): ProgressEvent[] {
  return stream.events.filter((event) => event.type === 'progress').filter((event) => event.job_id === id)
}

/** Returns the texts of a job as this stream sent them; throws if a text has a gap. */
function textsOf(stream: EventStream, id: string): PartialText[] {
  const texts = new Map<string, { text: PartialText; sequence: number }>()
  for (const { text_id, since, sequence, changes } of progressEvents(stream, id)) {
    const before = texts.get(text_id)
    if (since !== (before?.sequence ?? 0)) throw new Error(`${since} does not follow ${before?.sequence}`)
    texts.set(text_id, { text: applyChanges(before?.text ?? noText, changes), sequence })
  }
  return [...texts.values()].map(({ text }) => text)
}

function recordingEvent(id: string, change: string) {
  return expect.objectContaining({ type: 'recording', recording_id: id, change })
}
