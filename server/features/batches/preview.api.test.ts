import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { createBatchWorld } from './testing/batch-world.ts'

let server: TestServer
let user: SignedInUser
let world: ReturnType<typeof createBatchWorld>

beforeAll(async () => {
  server = await startTestServer()
  world = createBatchWorld(server)
})
beforeEach(async () => {
  user = await server.createSignedIn()
})
afterAll(() => server.close())

async function preview(ids: string[], targets: string[]) {
  const transcribe = { language: 'ps' as const, channel_languages: null }
  const body = { selection: { ids }, transcribe, target_languages: targets }
  return (await server.call(api.batches.preview, { body, token: user.accessToken })).data
}

test('counts a translation to each language of every recording, also of those that are transcribed first', async () => {
  const ids = await world.storeRecordings(user, 4)
  await world.storeTranscription(user, ids[0] ?? '')
  expect(await preview(ids, ['en', 'fr'])).toMatchObject({ transcriptions: 3, translations: 8, skipped: [] })
})

test('names the more frequent reason for leaving recordings out first', async () => {
  const ids = await world.storeRecordings(user, 3)
  for (const [index, id] of ids.entries()) await world.storeTranscription(user, id, index === 0 ? ['ps'] : ['en'])
  const { skipped, translations } = await preview(ids, ['en'])
  expect({ skipped, translations }).toEqual({
    skipped: [{ reason: 'It is in English already', count: 2 }],
    translations: 1,
  })
})
