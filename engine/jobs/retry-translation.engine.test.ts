import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { listCounters } from '#data/counters/counters.ts'
import { angry, bomb, segmentsOf } from '#engine/translation/testing/sentences.ts'
import { startTestEngine, type TestEngine } from '#testing/engine.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { makeTranslation } from '#testing/work.ts'

// The server over HTTP, the queue and an engine with the demo model.
let server: TestServer
let engine: TestEngine | undefined
let user: SignedInUser

const speaker = { speaker: 'Speaker A', segments: segmentsOf(angry.ps, bomb.ps, angry.ur) }
const transcription_data = {
  speaker_transcriptions: [{ ...speaker, transcription: '', detected_language: 'ps' as const }],
}
const notTranslated = { error: 'not translated', not_translated: { reason: 'echo' as const } }

beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn()
})
afterAll(async () => {
  await engine?.stop()
  await server.close()
})

function translate(retry?: 'failed' | { start: number; end: number }) {
  return server.call(api.audio.translateSpeakers, {
    body: { transcription_data, target_language: 'en', ...(retry && { retry }) },
    token: user.accessToken,
    ...(!retry && { headers: { Prefer: 'respond-async' } }),
  })
}

/** Stores a finished translation with one accepted line and two failed ones. */
async function storePartialTranslation() {
  await translate()
  const segments = speaker.segments.map(({ start, end, text }, index) => {
    const outcome =
      index === 0 ? { translated_text: 'accepted translation', error: null } : { translated_text: '', ...notTranslated }
    return { start, end, text, ...outcome }
  })
  const speaker_translations = [{ speaker: 'Speaker A', translated_text: '', error: null, segments }]
  await finishNextJob(server.services.work.queue, makeTranslation({ speaker_translations, segments: [] }), ['en'])
}

test('translates only the requested line again, then only the failed lines', async () => {
  await storePartialTranslation()
  const { connection } = server.services.work.queue
  engine = await startTestEngine({ connection, dataDir: server.config.dataDir })

  const [, second] = speaker.segments
  const one = await translate({ start: second?.start ?? 0, end: second?.end ?? 0 })
  const linesOf = (response: typeof one) => {
    const result = response.data
    return 'segments' in result ? result.speaker_translations[0]?.segments : undefined
  }
  expect(linesOf(one)).toMatchObject([
    { translated_text: 'accepted translation', error: null },
    { translated_text: bomb.en, error: null },
    { translated_text: '', ...notTranslated },
  ])

  const all = await translate('failed')
  expect(linesOf(all)?.map(({ translated_text }) => translated_text)).toEqual([
    'accepted translation',
    bomb.en,
    angry.en,
  ])
  expect(all.data).toMatchObject({ provenance: [{ model_id: 'demo-translator' }] })

  const named = await translate({ start: 0, end: 1 })
  expect(linesOf(named)?.[0]).toMatchObject({ translated_text: angry.en })

  const counters = await listCounters(connection)
  expect(counters.find(({ name }) => name === 'finished_jobs')).toMatchObject({
    labels: { kind: 'translate' },
    value: 3,
  })
  expect(counters.find(({ name }) => name === 'engine_starts')).toMatchObject({ value: 1 })
})
