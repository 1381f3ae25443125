import { hostname } from 'node:os'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AppError } from '#contract/app-error.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { holdJobs } from '#data/jobs/hold.ts'
import { jobModel } from '#data/jobs/job-model.ts'
import { completeJob, failAttempt, releaseJob, writeProgress } from '#data/jobs/lease.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { saveCheckpoint } from '#data/jobs/checkpoints.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { makeHeartbeat, makeJob, takeJob } from '#testing/jobs.ts'
import { storeDocument } from '#testing/recordings.ts'
import { commandForLines, findInstallation } from './log-command.ts'
import { showFailures, showJob } from './main.ts'

let database: TestDatabase
let queue: Queue

beforeAll(async () => {
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
})
beforeEach(() => Promise.all(Object.values(database.connection.models).map((model) => model.deleteMany({}))))
afterAll(() => database.drop())

const name = 'Zarghuna'
const file = 'tapped-call.wav'
const params = {
  kind: 'transcribe' as const,
  language: 'ps' as const,
  channelLanguages: null,
  names: [name],
  model: null,
}
const show = (id: string) => showJob(database.connection, false, id)
const showJson = async (id: string): Promise<unknown> => JSON.parse(await showJob(database.connection, true, id))

/** Fails the next waiting job, as an engine does. */
async function fail(error: AppError, { isFinal = false, cause = 'Error' } = {}): Promise<void> {
  await failAttempt(queue, await takeJob(queue, 'engine-1'), error, { isFinal, models: ['demo-speech'], cause })
}

test('a job with three failed attempts is explained: when, where, with which model, why, and what to do', async () => {
  const [recordingId, ownerId] = [newId(), newId()]
  await storeDocument(database.connection, { id: recordingId, ownerId, name: file, durationMs: 31_000 })
  const { id } = await makeJob(queue, { ownerId, recordingId, params })
  await fail(new AppError('internal', `whisper stopped unexpectedly (SIGKILL).`), { cause: 'ChildDied SIGKILL' })
  await fail(new AppError('internal', `${file} could not be opened by ${name}`), { cause: 'Error EIO' })
  await fail(new AppError('job_failed', 'The work failed because of a fault of this system.'))
  const text = await show(id)
  expect(text).toContain(`Job           ${id}, transcribe`)
  expect(text).toContain('State         failed')
  expect(text).toContain(`Recording     ${recordingId}, 31 s of sound`)
  const engine = `${hostname()}, process ${process.pid}`
  const rows = text.split('\n').filter((line) => /^[1-3] {2,}/.test(line))
  expect(rows).toHaveLength(3)
  for (const row of rows)
    expect(row).toMatch(new RegExp(`\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC  \\d+ ms +${engine}  demo-speech`))
  expect(rows[0]).toMatch(/internal +ChildDied SIGKILL$/)
  expect(rows[1]).toMatch(/internal +Error EIO$/)
  expect(text).toContain('Error         job_failed: The work failed because of a fault of this system.')
  expect(text).toContain('What to do    An engine that died in its work was mostly killed for memory')
  expect(text).toMatch(new RegExp(`Its lines +.*${id}`))
  expect(await showJson(id)).toMatchObject({
    id,
    state: 'failed',
    recording_id: recordingId,
    code: 'job_failed',
    attempts: [
      { attempt: 1, outcome: 'failed', code: 'internal', models: ['demo-speech'], duration_ms: expect.any(Number) },
      { attempt: 2, message: null },
      { attempt: 3, message: 'The work failed because of a fault of this system.' },
    ],
  })
  for (const printed of [text, JSON.stringify(await showJson(id)), await showFailures(database.connection, false)])
    for (const content of [file, name]) expect(printed).not.toContain(content)
})

test.each([
  ['unreadable_audio', 'Error ENOENT', /A file is missing/],
  ['unreadable_audio', 'Error', /The file is damaged/],
  ['job_failed', 'TypeError', /The log says more/],
] as const)('what to do about %s caused by %s goes by both', async (code, cause, expected) => {
  const { id } = await makeJob(queue, { params })
  await fail(new AppError(code, 'x'), { isFinal: true, cause })
  expect(await show(id)).toMatch(expected)
})

test('of a sentence with values its own words are shown, and no value but numbers', async () => {
  const { id } = await makeJob(queue, { params })
  await fail(new AppError('unsupported_language', `The speech engine has no language "${name}".`), { isFinal: true })
  expect(await showJson(id)).toMatchObject({ message: 'The speech engine has no language "…".' })
})

test('a running job says which engine works on it and how far it is, and nothing of its text', async () => {
  const { id } = await makeJob(queue, { params })
  await recordHeartbeat(database.connection, 'engine-1', makeHeartbeat())
  const job = await takeJob(queue, 'engine-1')
  await saveCheckpoint(queue, id, 'window:1', { text: name })
  const segment = { start: 0, end: 1, text: name }
  const progress = { current_segment: 3, total_segments: 12, latest_segment: segment, seconds_left: 90 }
  const detected = { detected_language: 'ps', language_probability: 1 }
  await writeProgress(queue, job, { ...progress, ...detected }, { id: newId(), sequence: 0 })
  const text = await show(id)
  expect(text).toMatch(new RegExp(`Running +attempt 1 at ${hostname()}, process ${process.pid}, since .* UTC`))
  expect(text).toMatch(/Progress +3 of 12, about 2 min left/)
  expect(text).toMatch(/Checkpoints +1 finished parts/)
  expect(text).toMatch(/Waits for +Nothing: an engine works on it/)
  expect(text).not.toContain('What to do')
  expect(text).not.toContain(name)
})

test.each([
  ['an engine, where none runs', async () => undefined, /An engine: none runs/],
  [
    'an engine that reads the recordings',
    () => recordHeartbeat(database.connection, 'engine-1', makeHeartbeat({}, { problem: 'x' })),
    /can read the recordings: none can/,
  ],
  [
    'an engine with its models',
    () => recordHeartbeat(database.connection, 'engine-1', makeHeartbeat()),
    /with the models for it: none has them/,
  ],
  [
    'its turn',
    async () => {
      const model = { id: 'small', name: 'Small', is_demo: false, languages: ['ps'] }
      const features = { speech: model, transcription: ['ps'] }
      await recordHeartbeat(database.connection, 'engine-1', makeHeartbeat(features))
    },
    /Its turn: 1 job is before it, 1 engine runs/,
  ],
])('a waiting job says that it waits for %s', async (_, prepare, expected) => {
  const ownerId = newId()
  await makeJob(queue, { ownerId, params })
  const { id } = await makeJob(queue, { ownerId, params })
  await prepare()
  expect(await show(id)).toMatch(expected)
})

test('a waiting job of a removed recording waits until that is restored', async () => {
  const [ownerId, recordingId] = [newId(), newId()]
  const { id } = await makeJob(queue, { ownerId, recordingId, params })
  await holdJobs(queue, ownerId, [recordingId])
  expect(await show(id)).toContain('until then no engine starts it')
})

test('a job whose engine does not answer says so', async () => {
  const { id } = await makeJob(queue, { params })
  await takeJob(queue, 'gone')
  expect(await show(id)).toContain('Its engine does not answer')
})

test('a finished job has its attempt and its models, and nothing to do', async () => {
  const { id } = await makeJob(queue, { params })
  await completeJob(queue, await takeJob(queue), { result: { ok: true }, languages: ['ps'], models: ['demo-speech'] })
  const text = await show(id)
  expect(text).toMatch(/^1 .* demo-speech +done$/m)
  expect(text).not.toMatch(/What to do|Waits for|Error/)
})

test('a job of an earlier version, whose attempts were not recorded, is shown without them', async () => {
  const { id } = await makeJob(queue, { params })
  await fail(new AppError('no_audio', 'x'), { isFinal: true })
  await jobModel(database.connection).updateOne({ _id: toObjectId(id) }, { $unset: { attempts: 1, attemptBegan: 1 } })
  const text = await show(id)
  expect(text).toContain('Error         no_audio\n')
  expect(text).not.toContain('ATTEMPT')
  expect(await showFailures(database.connection, false)).toContain(id)
})

test.each([newId(), 'x', ''])('there is no job %j, which is said in a sentence', async (id) => {
  await expect(show(id)).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringMatching(/^There is no job/),
  })
})

test('the list has failed jobs and those tried again, the last failure first, and no others', async () => {
  expect(await showFailures(database.connection, false)).toBe('No stored job has failed.')
  const failed = await makeJob(queue, { params })
  await fail(new AppError('unreadable_audio', `${file} cannot be read`), { isFinal: true })
  const waiting = await makeJob(queue, { params })
  await fail(new AppError('unavailable', 'No server'))
  const untouched = await makeJob(queue, { params, ownerId: newId() })
  await releaseJob(queue, await takeJob(queue))
  const lines = (await showFailures(database.connection, false)).split('\n')
  expect(lines[0]).toMatch(/^JOB +KIND +STATE +ATTEMPT +CODE +LAST FAILURE +RECORDING/)
  expect(lines[1]).toMatch(new RegExp(`^${waiting.id}  transcribe  queued  1 +unavailable +\\d{4}-.* UTC`))
  expect(lines[2]).toMatch(new RegExp(`^${failed.id}  transcribe  failed  1 +unreadable_audio +\\d{4}-.* UTC`))
  expect(lines).toHaveLength(3)
  expect(lines.join()).not.toContain(untouched.id)
  const json: unknown = JSON.parse(await showFailures(database.connection, true))
  expect(json).toMatchObject([
    { id: waiting.id, code: 'unavailable' },
    { id: failed.id, state: 'failed' },
  ])
})

test('the command for the lines of the log is that of the way Awaz was installed', () => {
  const about = { jobId: '65f0', since: new Date('2026-11-26T02:04:05.678Z') }
  expect(commandForLines('systemd', about)).toBe(
    'journalctl -u awaz --since "2026-11-26 02:04:05 UTC" | grep -A 20 65f0',
  )
  expect(commandForLines('container', about)).toBe('docker compose logs --since 2026-11-26T02:04:05Z awaz | grep 65f0')
  const has = (...paths: string[]) => findInstallation((path) => paths.includes(path))
  expect(has('/run/systemd/system', '/etc/systemd/system/awaz.service')).toBe('systemd')
  expect(has('/run/systemd/system')).toBe('other')
  expect(has('/.dockerenv')).toBe('container')
})
