import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFeatures } from '#data/engines/engines.ts'
import { readResult } from '#data/jobs/results.ts'
import { saveSource } from '#data/jobs/translation-source.ts'
import { startEngineWithServers, type EngineWithServers } from '#engine/remote/testing/engine-with-servers.ts'
import { makeJob } from '#testing/jobs.ts'
import { startFakeServer, translateIntoTarget, type ReceivedRequest } from './testing/fake-server.ts'

let engine: EngineWithServers<ReceivedRequest>

beforeAll(async () => {
  engine = await startEngineWithServers({
    startFakeServer,
    behave: translateIntoTarget,
    env: (addresses) => ({
      TRANSLATION_SERVERS: addresses,
      TRANSLATION_SERVER_MODEL: 'General',
      TRANSLATION_SERVER_LANGUAGES: 'fa,en',
      TRANSLATION_SERVER_MODEL_BY_PAIR: 'ps-en=Pashto',
      TRANSLATION_MODEL: '',
    }),
  })
})

afterAll(() => engine?.close())

async function makeTranslation(number: number) {
  const { queue, ownerId } = engine
  const text = `هغه ${number} صندوقونه بازار ته راوړل`
  const sourceId = await saveSource(queue, { ownerId, recordingId: null }, { kind: 'text', text })
  const ids = { transcriptionId: null, sourceId: sourceId }
  const languages = { sourceLanguage: 'ps', targetLanguage: 'fa' }
  return makeJob(queue, { ownerId, params: { kind: 'translate', ...ids, ...languages, context: null } })
}

test('an engine sends texts to the servers, with English as pivot where needed, and publishes their status', async () => {
  const { database, queue, ownerId, server, stoppedServer } = engine
  expect(await readFeatures(database.connection)).toMatchObject({
    translation: { name: 'General' },
    translation_sources: ['fa', 'en', 'ps'],
    translation_targets: ['fa', 'en', 'ps'],
  })
  const job = await makeTranslation(7)
  await engine.waitUntilDone(job)
  expect(await readResult(queue, ownerId, job.id, 'translate')).toMatchObject({
    translated_text: 'او 7 جعبه را به بازار آورد.',
    via: 'en',
    provenance: [{ model_name: 'General' }, { model_name: 'Pashto' }],
  })
  expect(server.seen.map(({ body }) => body.model)).toEqual(['Pashto', 'General'])
  await engine.expectPublished('translation_servers', [
    { address: stoppedServer.address, is_reachable: false, models: ['General', 'Pashto'], completed: 0 },
    { address: server.address, is_reachable: true, completed: 2, in_flight: 0, last_error: null },
  ])
})

test('cancelling a job stops the request within two seconds', () => engine.expectQuickCancel(() => makeTranslation(8)))
