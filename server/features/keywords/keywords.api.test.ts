import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { toObjectId } from '#data/ids.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const lists = { threats: ['bomb', 'lübeck'], sentiment: [], intent: [], custom: ['بریدونه'] }

/** Returns the user's keywords that have `sounds_like` set. */
async function listSimilar(token: string): Promise<string[]> {
  const { keywords } = (await server.call(api.keywords.list, { token })).data
  return Object.values(keywords)
    .flat()
    .filter(({ sounds_like }) => sounds_like)
    .map(({ keyword }) => keyword)
}

test('replaces which keywords match words that sound alike, and keeps their ids', async () => {
  const { accessToken: token } = await server.createSignedIn()
  await server.call(api.keywords.replace, { body: { ...lists, sounds_like: ['lübeck', 'بریدونه'] }, token })
  expect(await listSimilar(token)).toEqual(['lübeck', 'بریدونه'])
  const before = (await server.call(api.keywords.list, { token })).data.keywords.threats
  await server.call(api.keywords.replace, { body: { keywords: { ...lists, sounds_like: ['bomb'] } }, token })
  expect(await listSimilar(token)).toEqual(['bomb'])
  const after = (await server.call(api.keywords.list, { token })).data.keywords.threats
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})

test('keeps the option of keywords when the lists come without it', async () => {
  const { accessToken: token } = await server.createSignedIn()
  await server.call(api.keywords.replace, { body: { ...lists, sounds_like: ['lübeck'] }, token })
  await server.call(api.keywords.replace, { body: { ...lists, intent: ['money'] }, token })
  expect(await listSimilar(token)).toEqual(['lübeck'])
})

test('adds a keyword with the option or without it', async () => {
  const { accessToken: token } = await server.createSignedIn()
  const add = (body: { keyword: string; sounds_like?: boolean }) =>
    server.call(api.keywords.add, { params: { category: 'custom' }, body, token })
  expect((await add({ keyword: 'weapon', sounds_like: true })).data.keyword).toMatchObject({ sounds_like: true })
  expect((await add({ keyword: 'money' })).data.keyword).toMatchObject({ sounds_like: false })
})

test('reads a keyword of an earlier version as one without the option', async () => {
  const { id, accessToken: token } = await server.createSignedIn()
  const { connection } = server.services.database
  await connection.collection('keywords').insertOne({ ownerId: toObjectId(id), category: 'custom', keyword: 'old' })
  const { custom } = (await server.call(api.keywords.list, { token })).data.keywords
  expect(custom).toEqual([expect.objectContaining({ keyword: 'old', sounds_like: false })])
})
