import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { ModelHealth } from '#contract/entities/model-health.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import { engineModel } from '#data/engines/engine-model.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { makeHeartbeat } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'

let server: TestServer
let user: SignedInUser
let recordingId: string
beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn()
  recordingId = await uploadDialogue(server, user.accessToken)
})
beforeEach(async () => {
  await engineModel(server.services.database.connection).deleteMany({})
})
afterAll(() => server.close())

const active = { id: 'general', name: 'General', is_demo: false, languages: ['ps', 'en', 'fa'] }
const general: ModelHealth = {
  id: 'general',
  name: 'General',
  kind: 'speech',
  languages: ['ps', 'en'],
  pairs: [],
  problem: null,
}
const sentence = 'The file of the model Persian is damaged: it ends inside its weights.'
const persian: ModelHealth = { ...general, id: 'persian', name: 'Persian', languages: ['fa'], problem: sentence }
const translator: ModelHealth = { ...general, id: 'translator', kind: 'translation' }
const withoutPersian: Partial<EngineFeatures> = {
  speech: active,
  transcription: ['ps', 'en'],
  language_detection: true,
  diarization: true,
  translation: active,
  translation_sources: ['ps', 'en', 'fa'],
  translation_targets: ['ps', 'en', 'fa'],
  models: [general, persian, translator],
}

async function publishFeatures(features: Partial<EngineFeatures>) {
  await recordHeartbeat(server.services.database.connection, 'engine', makeHeartbeat(features))
}

async function readModelsCheck() {
  const answer = await fetch(`${server.url}/readyz`)
  return api.system.ready.response.parse(await answer.json()).checks.models
}

function transcribe(language: 'fa' | 'en' | 'auto') {
  const body = { file_id: recordingId, language, force: true }
  return server.call(api.audio.transcribe, { body, token: user.accessToken, headers: { Prefer: 'respond-async' } })
}

test('reports a broken model in readiness, in languages and when it rejects work', async () => {
  await publishFeatures(withoutPersian)
  expect(await readModelsCheck()).toEqual({
    ok: true,
    message: `2 of 3 can be used. Transcription (Persian): ${sentence}`,
  })
  const { features } = (await server.call(api.system.languages)).data
  expect(features.models.find(({ problem }) => problem)).toEqual(persian)
  expect((await transcribe('fa')).error).toMatchObject({ code: 'model_unavailable', error: sentence })
  expect((await transcribe('en')).status).toBe(202)
})

test('is not ready while no model of a kind can be used, and says why', async () => {
  const problem = 'The model General is not installed.'
  const models = [{ ...general, problem }, translator]
  await publishFeatures({ ...withoutPersian, speech: null, transcription: [], language_detection: false, models })
  expect(await readModelsCheck()).toEqual({
    ok: false,
    message: `1 of 2 can be used. Transcription (Pashto and English): ${problem}`,
  })
  for (const language of ['auto', 'en'] as const) expect((await transcribe(language)).error.error).toBe(problem)
})

test('rejects a pair whose model is broken with the reason, and translates other pairs', async () => {
  const problem = 'The model Dari is not installed.'
  const pair: ModelHealth = {
    ...translator,
    id: 'dari',
    name: 'Dari',
    languages: ['fa', 'en'],
    pairs: ['fa-en'],
    problem,
  }
  await publishFeatures({ ...withoutPersian, models: [general, translator, pair] })
  const translate = (source_language: string) =>
    server.call(api.audio.translate, {
      body: { text: 'سلام', source_language, target_language: 'en' },
      token: user.accessToken,
      headers: { Prefer: 'respond-async' },
    })
  expect((await translate('fa')).error).toMatchObject({ code: 'model_unavailable', error: problem })
  expect((await translate('ps')).status).toBe(202)
  expect(await readModelsCheck()).toMatchObject({
    ok: true,
    message: expect.stringContaining(`Translation (fa-en): ${problem}`),
  })
})

test('reports no models while no engine is live', async () => {
  expect(await readModelsCheck()).toEqual({ ok: true, message: 'not known while no engine runs' })
})
