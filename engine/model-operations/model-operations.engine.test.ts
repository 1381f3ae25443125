import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Model } from '#contract/entities/model.ts'
import type { ModelRequest } from '#contract/entities/model-operation.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { findLiveEngines } from '#data/engines/engines.ts'
import { readModelLists } from '#data/models/model-lists.ts'
import {
  cancelModelOperation,
  enqueueModelOperation,
  findModelOperation,
  type ModelOperationRecord,
} from '#data/models/model-operations.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startTestEngine, type TestEngine } from '#testing/engine.ts'
import { startEngineProcess } from '#testing/processes.ts'

// Runs a real engine on its own models folder; the model being installed and removed is a copy of the demo model.
const demoModel = join(import.meta.dirname, '../../models/demo/demo-speech-q8_0.bin')
let database: TestDatabase
let dataDir: string
let modelsDir: string
let engine: TestEngine | undefined

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'awaz-operations-'))
  modelsDir = join(dataDir, 'models')
  await mkdir(join(modelsDir, 'import'), { recursive: true })
})
afterEach(async () => {
  await engine?.stop()
  await rm(dataDir, { recursive: true, force: true })
})
afterAll(() => database.drop())

async function startEngine(env: Record<string, string> = {}) {
  engine = await startTestEngine({ connection: database.connection, dataDir, env: { MODELS_DIR: modelsDir, ...env } })
  return engine
}

async function enqueue(request: ModelRequest): Promise<string> {
  const operation = await enqueueModelOperation(database.connection, {
    request,
    requestedBy: 'super-admin@example.org',
  })
  if (!operation) throw new Error('Another operation is under way')
  return operation.id
}

function readOperation(id: string): Promise<ModelOperationRecord | null> {
  return findModelOperation(database.connection, id)
}

async function waitForEnd(id: string): Promise<ModelOperationRecord> {
  return vi.waitFor(
    async () => {
      const operation = await readOperation(id)
      if (!operation || operation.state === 'queued' || operation.state === 'running') throw new Error('not ended')
      return operation
    },
    { timeout: 150_000, interval: 50 },
  )
}

/** Enqueues an operation and waits until it has ended. */
async function run(request: ModelRequest): Promise<ModelOperationRecord> {
  return waitForEnd(await enqueue(request))
}

function waitForModel(id: string, expected: Partial<Model>): Promise<unknown> {
  return vi.waitFor(
    async () => {
      const { models } = await readModelLists(database.connection)
      expect(models?.find((model) => model.id === id)).toMatchObject(expected)
    },
    { timeout: 60_000, interval: 50 },
  )
}

/** Installs a copy of the demo model with an entry in the operator's catalogue. */
async function installCopy(id = 'copy') {
  await copyFile(demoModel, join(modelsDir, `${id}.bin`))
  const entry = {
    kind: 'speech',
    id,
    name: 'Copy of the demo model',
    file: `${id}.bin`,
    url: null,
    sizeBytes: null,
    sha256: null,
    sha1: null,
    licence: 'MIT',
    languages: ['ps', 'en', 'ur', 'fa', 'ar'],
    maxWindowMs: 15_000,
    oneSpanPerWindow: true,
    minAudioContext: 384,
  }
  await writeFile(join(modelsDir, 'catalog.local.json'), JSON.stringify({ models: [entry] }))
}

test('publishes the models with their uses and problems', async () => {
  await installCopy()
  await writeFile(join(modelsDir, 'ggml-tiny.bin'), 'This is a text.')
  await startEngine({ SPEECH_MODEL_FA: 'copy' })
  await waitForModel('demo-speech', {
    is_demo: true,
    is_installed: true,
    problem: null,
    uses: [{ scope: 'default', code: null, chosen_by: 'nobody' }],
  })
  await waitForModel('copy', {
    is_installed: true,
    content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    uses: [{ scope: 'language', code: 'fa', chosen_by: 'environment' }],
  })
  await waitForModel('whisper-tiny', {
    is_installed: true,
    problem: { message: expect.any(String), help: expect.any(String) },
  })
  await waitForModel('whisper-base', { is_installed: false, problem: null })
})

test('chooses a model for a language at once, and removes it only after another one was chosen', async () => {
  await installCopy()
  await startEngine()
  await waitForModel('copy', { uses: [] })
  expect(await run({ kind: 'use', model_id: 'copy', language: 'en' })).toMatchObject({ state: 'done' })
  await waitForModel('copy', { uses: [{ scope: 'language', code: 'en', chosen_by: 'person' }] })
  expect(await run({ kind: 'remove', model_id: 'copy' })).toMatchObject({
    state: 'failed',
    error: { code: 'conflict', error: expect.stringContaining('English') },
  })
  await run({ kind: 'use', model_id: 'demo-speech', language: 'en' })
  expect(await run({ kind: 'remove', model_id: 'copy' })).toMatchObject({ state: 'done' })
  await vi.waitFor(async () => {
    const { models } = await readModelLists(database.connection)
    expect(models?.some(({ id }) => id === 'copy')).toBe(false)
  })
})

test('clears a choice', async () => {
  await installCopy()
  await startEngine()
  await run({ kind: 'use', model_id: 'copy', language: 'en' })
  await waitForModel('copy', { uses: [{ scope: 'language', code: 'en', chosen_by: 'person' }] })
  expect(await run({ kind: 'clear', model_id: 'copy', language: 'en' })).toMatchObject({ state: 'done' })
  await waitForModel('copy', { uses: [] })
})

test('publishes the problem of a catalogue entry', async () => {
  await writeFile(join(modelsDir, 'catalog.local.json'), '{"models": [{"id": "mine", "kind": "speech"}]}')
  await startEngine()
  await waitForModel('demo-speech', { is_installed: true })
  expect((await readModelLists(database.connection)).problems).toEqual([
    expect.stringMatching(/^The entry "mine" of .*catalog\.local\.json is not valid: name: /u),
  ])
})

test('reports the speed of a model and its transcript of a sample after a trial', async () => {
  await startEngine()
  const { state, outcome, error } = await run({ kind: 'verify', model_id: 'demo-speech' })
  expect({ state, error }).toEqual({ state: 'done', error: null })
  expect(outcome).toMatchObject({
    message: 'Awaz demo speech model works.',
    details: expect.arrayContaining([
      expect.stringMatching(/^real-time factor: \d/),
      expect.stringMatching(/^text: \w/),
    ]),
  })
  await waitForModel('demo-speech', {
    trial: expect.objectContaining({ engine: expect.stringContaining('whisper.cpp') }),
  })
})

test('imports an uploaded model, which transcribes, and deletes the upload; a manually placed file stays', async () => {
  const importDir = join(modelsDir, 'import')
  await mkdir(join(importDir, 'uploaded'))
  await copyFile(demoModel, join(importDir, 'uploaded/model.bin'))
  await mkdir(join(importDir, '.uploaded'))
  await writeFile(join(importDir, '.uploaded/uploaded'), '')
  await copyFile(demoModel, join(importDir, 'by-hand.bin'))
  await startEngine()
  const facts = { name: 'Field model', languages: ['en'], licence: 'MIT', quantize: false }
  const { state, outcome, error } = await run({ kind: 'import', import_name: 'uploaded', ...facts })
  expect({ state, error }).toEqual({ state: 'done', error: null })
  expect(outcome).toMatchObject({ message: 'Field model is installed as uploaded.', model_id: 'uploaded' })
  await waitForModel('uploaded', { name: 'Field model', languages: ['en'], licence: 'MIT', is_installed: true })
  expect(await run({ kind: 'verify', model_id: 'uploaded' })).toMatchObject({ state: 'done' })
  await run({ kind: 'import', import_name: 'by-hand.bin', quantize: false })
  expect((await readdir(importDir)).toSorted()).toEqual(['.uploaded', 'by-hand.bin'])
  expect(await readdir(join(importDir, '.uploaded'))).toEqual([])
})

test('fails to import a file that is no model with the reason, and keeps the file', async () => {
  await writeFile(join(modelsDir, 'import/notes.bin'), 'These are the notes of a meeting.')
  await startEngine()
  expect(await run({ kind: 'import', import_name: 'notes.bin', quantize: false })).toMatchObject({
    state: 'failed',
    error: { error: expect.stringContaining('notes.bin'), help: expect.any(String) },
  })
  expect(await readdir(join(modelsDir, 'import'))).toEqual(['notes.bin'])
})

test('leaves an operation whose files it does not have in the queue, until it is cancelled', async () => {
  await startEngine({ OFFLINE: 'true' })
  const waiting = await enqueue({ kind: 'import', import_name: 'nothing', quantize: false })
  expect(await run({ kind: 'pull', model_id: 'whisper-tiny' })).toMatchObject({
    state: 'failed',
    error: { error: expect.stringMatching(/offline/i) },
  })
  expect(await readOperation(waiting)).toMatchObject({ state: 'queued' })
  await cancelModelOperation(database.connection, waiting)
  expect(await readOperation(waiting)).toMatchObject({ state: 'cancelled' })
})

async function waitUntilRunning(id: string) {
  await vi.waitFor(async () => expect(await readOperation(id)).toMatchObject({ state: 'running' }), {
    timeout: 30_000,
    interval: 20,
  })
}

test('stops a running operation at once when it is cancelled, and starts the next', async () => {
  await startEngine()
  const trial = await enqueue({ kind: 'verify', model_id: 'demo-speech' })
  await waitUntilRunning(trial)
  await cancelModelOperation(database.connection, trial)
  expect(await run({ kind: 'use', model_id: 'demo-speech', language: 'en' })).toMatchObject({ state: 'done' })
  expect(await readOperation(trial)).toMatchObject({ state: 'cancelled', outcome: null })
  await waitForModel('demo-speech', { trial: null })
})

test('fails the operation of a killed engine with a message once another engine runs', async () => {
  const killed = await startEngineProcess({ dataDir, database, env: { MODELS_DIR: modelsDir } })
  onTestFinished(() => killed.end('SIGKILL'))
  const trial = await enqueue({ kind: 'verify', model_id: 'demo-speech' })
  await waitUntilRunning(trial)
  await killed.end('SIGKILL')
  await startEngine()
  expect(await waitForEnd(trial)).toMatchObject({
    state: 'failed',
    error: { error: 'The engine ended while it worked on this.' },
  })
})

test('removes its list when it stops', async () => {
  const started = await startEngineProcess({ dataDir, database, env: { MODELS_DIR: modelsDir } })
  onTestFinished(() => started.end('SIGKILL'))
  await waitForModel('demo-speech', { is_installed: true })
  await started.end('SIGTERM')
  expect((await findLiveEngines(database.connection)).length).toBe(0)
  expect((await readModelLists(database.connection)).models).toBeNull()
})
