import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AppError } from '#contract/app-error.ts'
import { api } from '#contract/api.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import type { Model } from '#contract/entities/model.ts'
import { engineModel } from '#data/engines/engine-model.ts'
import { toObjectId } from '#data/ids.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { modelListModel } from '#data/models/model-list-model.ts'
import { publishModels } from '#data/models/model-lists.ts'
import {
  claimModelOperation,
  completeModelOperation,
  failModelOperation,
  reconcileModelOperations,
  releaseModelOperation,
  renewModelOperation,
  type LeasedModelOperation,
} from '#data/models/model-operation-lease.ts'
import { modelOperationModel } from '#data/models/model-operation-model.ts'
import { makeHeartbeat } from '#testing/jobs.ts'
import { makeModel } from '#testing/models.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
let modelsDir: string
let superAdmin: SignedInUser
const connection = () => server.services.database.connection
const token = () => superAdmin.accessToken

beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'awaz-models-'))
  server = await startTestServer({ config: { modelsDir } })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})
beforeEach(async () => {
  await engineModel(connection()).deleteMany({})
  await modelListModel(connection()).deleteMany({})
  await modelOperationModel(connection()).deleteMany({})
})
afterAll(async () => {
  await server.close()
  await rm(modelsDir, { recursive: true, force: true })
})

const demo = makeModel({
  id: 'demo-speech',
  name: 'Demo',
  is_demo: true,
  uses: [{ scope: 'default', code: null, chosen_by: 'nobody' }],
})
const small = makeModel()
const absent = makeModel({ id: 'whisper-large', name: 'Whisper large', is_installed: false })
const translator = makeModel({ id: 'gemma', name: 'Gemma', kind: 'translation', languages: ['fa', 'en'] })

async function publish(models = [demo, small, absent, translator], engineId = 'engine', problems: string[] = []) {
  await recordHeartbeat(connection(), engineId, makeHeartbeat())
  await publishModels(connection(), engineId, { models, problems })
}

function start(body: BodyInput<typeof api.models.start>) {
  return server.call(api.models.start, { body, token: token() })
}

async function listOperations() {
  return (await server.call(api.models.operations, { token: token() })).data.operations
}

async function claim(): Promise<LeasedModelOperation> {
  const operation = await claimModelOperation(connection(), 'engine', async () => true)
  if (!operation) throw new Error('There is no operation to take')
  return operation
}

async function readAudit(action: string) {
  const { data } = await server.call(api.admin.audit, { query: { action }, token: token() })
  return data.events.map(({ actor, target, details }) => ({ actor, target, details }))
}

test('lists the models that live engines published', async () => {
  const read = async () => (await server.call(api.models.list, { token: token() })).data
  expect(await read()).toEqual({ models: null, problems: [], engines: 0 })
  await publish()
  expect(await read()).toEqual({ models: [demo, small, absent, translator], problems: [], engines: 1 })
})

test('lists a model as installed when any engine has it', async () => {
  await publish()
  await publish([{ ...absent, is_installed: true }], 'other')
  const { models } = (await server.call(api.models.list, { token: token() })).data
  expect(models?.find(({ id }) => id === absent.id)?.is_installed).toBe(true)
  expect(models).toHaveLength(4)
})

test('leaves out a model that an engine of another version published in an unknown shape', async () => {
  await publish()
  await modelListModel(connection()).updateOne({ _id: 'engine' }, { $set: { models: [{ id: 'strange' }, small] } })
  expect((await server.call(api.models.list, { token: token() })).data.models).toEqual([small])
})

test('lists a problem of the catalogues once, though several engines publish it', async () => {
  const problems = ['The entry "mine" of /models/catalog.local.json is not valid: name: missing.']
  for (const engineId of ['engine', 'other']) await publish([small], engineId, problems)
  expect((await server.call(api.models.list, { token: token() })).data.problems).toEqual(problems)
})

test('clears the choice of a person, audited, and no other', async () => {
  await publish([
    { ...small, uses: [{ scope: 'language', code: 'fa', chosen_by: 'person' }] },
    { ...translator, uses: [{ scope: 'pair', code: 'fa-en', chosen_by: 'environment' }] },
  ])
  const { operation } = (await start({ kind: 'clear', model_id: small.id, language: 'fa' })).data
  expect(operation).toMatchObject({ state: 'queued', kind: 'clear', language: 'fa', pair: null })
  expect(await readAudit('models.clear')).toEqual([
    { actor: superAdmin.email, target: small.id, details: 'language fa' },
  ])
  expect((await start({ kind: 'clear', model_id: translator.id, pair: 'fa-en' })).error.code).toBe('conflict')
})

test('queues an operation, shows its progress and its outcome', async () => {
  await publish()
  const { operation } = (await start({ kind: 'verify', model_id: small.id })).data
  expect(operation).toMatchObject({
    state: 'queued',
    kind: 'verify',
    model_id: small.id,
    requested_by: superAdmin.email,
  })
  const held = await claim()
  await renewModelOperation(connection(), held, { stage: 'Loading', done: 1, total: 4, is_bytes: false })
  expect(await listOperations()).toMatchObject([
    { state: 'running', progress: { stage: 'Loading', done: 1, total: 4 } },
  ])
  const outcome = { message: 'Whisper small works.', details: ['real-time factor 0.4'], model_id: small.id }
  await completeModelOperation(connection(), held, outcome)
  expect(await listOperations()).toMatchObject([{ state: 'done', outcome, finished_at: expect.any(String) }])
})

test('audits every start', async () => {
  await publish()
  await start({ kind: 'use', model_id: small.id, language: 'fa' })
  await start({ kind: 'use', model_id: translator.id, pair: 'fa-en' })
  expect(await readAudit('models.use')).toEqual([
    { actor: superAdmin.email, target: translator.id, details: 'pair fa-en' },
    { actor: superAdmin.email, target: small.id, details: 'language fa' },
  ])
})

test.each<[string, BodyInput<typeof api.models.start>, string]>([
  ['a trial of an absent model', { kind: 'verify', model_id: absent.id }, 'Whisper large is not installed.'],
  ['a download of an installed model', { kind: 'pull', model_id: small.id }, 'Whisper small is installed already.'],
  ['the removal of a demo model', { kind: 'remove', model_id: demo.id }, 'Demo comes with Awaz and stays.'],
  [
    'a language for a translator',
    { kind: 'use', model_id: translator.id, language: 'fa' },
    'Gemma translates: it is used for pairs of languages.',
  ],
  [
    'a pair for a speech model',
    { kind: 'use', model_id: small.id, pair: 'fa-en' },
    'Whisper small transcribes: it is used for single languages.',
  ],
  ['an unknown language', { kind: 'use', model_id: translator.id, pair: 'ps-en' }, 'Gemma does not know Pashto.'],
])('rejects %s', async (_, body, sentence) => {
  await publish()
  expect((await start(body)).error).toMatchObject({ code: 'conflict', error: sentence })
  expect(await listOperations()).toEqual([])
})

test.each<[string, BodyInput<typeof api.models.start>, RegExp]>([
  ['an unknown model', { kind: 'verify', model_id: 'nothing' }, /^There is no model "nothing"\.$/],
  ['a missing import', { kind: 'import', import_name: 'nothing' }, /^There is no nothing in /],
])('answers 404 for %s', async (_, body, sentence) => {
  await publish()
  const { error } = await start(body)
  expect(error.code).toBe('not_found')
  expect(error.error).toMatch(sentence)
})

test('rejects the removal of a model in use, and names what uses it', async () => {
  const uses: Model['uses'] = [
    { scope: 'language', code: 'fa', chosen_by: 'person' },
    { scope: 'language', code: 'ur', chosen_by: 'person' },
  ]
  await publish([demo, { ...small, uses }])
  const { error } = await start({ kind: 'remove', model_id: small.id })
  expect(error.error).toBe('Whisper small is in use for Persian and Urdu.')
  expect(error.help).toBe('Choose another model for it first.')
})

test('rejects a choice where the environment names a model', async () => {
  await publish([demo, small, { ...absent, uses: [{ scope: 'language', code: 'fa', chosen_by: 'environment' }] }])
  const { error } = await start({ kind: 'use', model_id: small.id, language: 'fa' })
  expect(error.error).toBe(
    'The environment of Awaz names Whisper large for this. What it names is changed there alone.',
  )
  expect((await start({ kind: 'use', model_id: small.id, language: 'ur' })).status).toBe(202)
})

test('rejects an impossible download with the reason', async () => {
  await publish([{ ...absent, pull_problem: 'This installation is offline.' }])
  expect((await start({ kind: 'pull', model_id: absent.id })).error.error).toBe('This installation is offline.')
})

test('starts nothing while no engine runs', async () => {
  expect((await start({ kind: 'verify', model_id: small.id })).error).toMatchObject({
    code: 'conflict',
    error: 'No engine is running, so nothing can be done with models now.',
  })
})

test('runs one operation at a time for each model', async () => {
  await publish()
  await start({ kind: 'verify', model_id: small.id })
  expect((await start({ kind: 'remove', model_id: small.id })).error.code).toBe('conflict')
  await completeModelOperation(connection(), await claim(), { message: 'Works.', details: [], model_id: null })
  expect((await start({ kind: 'remove', model_id: small.id })).status).toBe(202)
})

test('cancels a queued and a running operation, whose engine can write nothing more', async () => {
  await publish()
  const waiting = (await start({ kind: 'verify', model_id: small.id })).data.operation
  const cancel = (id: string) => server.call(api.models.cancel, { params: { id }, token: token() })
  expect((await cancel(waiting.id)).data.operation.state).toBe('cancelled')
  const running = (await start({ kind: 'verify', model_id: small.id })).data.operation
  const held = await claim()
  expect((await cancel(running.id)).data.operation.state).toBe('cancelled')
  expect(await renewModelOperation(connection(), held)).toBe(false)
  expect(await completeModelOperation(connection(), held, { message: '', details: [], model_id: null })).toBe(false)
  expect((await cancel(running.id)).data.operation.state).toBe('cancelled')
  expect((await cancel('f'.repeat(24))).error.code).toBe('not_found')
  expect((await readAudit('models.cancel')).length).toBe(3)
})

test('starts an import of the folder', async () => {
  await publish()
  await mkdir(join(modelsDir, 'import'), { recursive: true })
  await writeFile(join(modelsDir, 'import', 'base.bin'), 'weights')
  const { operation } = (await start({ kind: 'import', import_name: 'base.bin', languages: ['fa'] })).data
  expect(operation).toMatchObject({ kind: 'import', import_name: 'base.bin', model_id: null })
})

async function loseLease(operation: LeasedModelOperation) {
  const _id = toObjectId(operation.id)
  await modelOperationModel(connection()).updateOne({ _id }, { $set: { leaseUntil: new Date(0) } })
  await reconcileModelOperations(connection())
}

test('queues a download of a dead engine again, at most three attempts, and fails any other operation', async () => {
  await publish()
  await start({ kind: 'pull', model_id: absent.id })
  for (const state of ['queued', 'queued', 'failed']) {
    await loseLease(await claim())
    expect((await listOperations())[0]?.state).toBe(state)
  }
  await start({ kind: 'verify', model_id: small.id })
  await loseLease(await claim())
  expect((await listOperations())[0]).toMatchObject({
    state: 'failed',
    error: { error: 'The engine ended while it worked on this.' },
  })
})

test('queues the operation of a stopping engine again, and stores why an operation failed', async () => {
  await publish()
  await start({ kind: 'verify', model_id: small.id })
  await releaseModelOperation(connection(), await claim())
  expect((await listOperations())[0]?.state).toBe('queued')
  const error = new AppError('model_unavailable', 'The file is empty.', { help: 'Copy it again.' })
  await failModelOperation(connection(), await claim(), error)
  expect((await listOperations())[0]).toMatchObject({
    state: 'failed',
    error: { error: 'The file is empty.', help: 'Copy it again.', code: 'model_unavailable' },
  })
})

test('leaves an operation that an engine cannot run in the queue', async () => {
  await publish()
  await start({ kind: 'verify', model_id: small.id })
  expect(await claimModelOperation(connection(), 'engine', async () => false)).toBeNull()
})

test('rejects the choice of a speech model where transcription servers are set', async () => {
  const remote = await startTestServer({
    config: { modelsDir, speechServers: { addresses: ['http://127.0.0.1:1'] } as never }, // only whether there are any is read
  })
  try {
    const token = (await remote.createSignedIn({ role: 'super_admin' })).accessToken
    await recordHeartbeat(remote.services.database.connection, 'engine', makeHeartbeat())
    await publishModels(remote.services.database.connection, 'engine', { models: [small], problems: [] })
    const body = { kind: 'use', model_id: small.id } as const
    expect((await remote.call(api.models.start, { body, token })).error.error).toMatch(/^SPEECH_SERVERS is set/)
  } finally {
    await remote.close()
  }
})
