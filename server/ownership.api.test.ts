import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('keywords: adds, groups, rejects duplicates, removes, clears and replaces', async () => {
  const { accessToken: token } = await server.createSignedIn()
  const add = (keyword: string) =>
    server.call(api.keywords.add, { params: { category: 'threats' }, body: { keyword }, token })
  const added = await add('  Bomb ')
  expect([added.status, added.data.keyword.keyword]).toEqual([201, 'bomb'])
  expect((await add('bomb')).error.code).toBe('conflict')
  expect((await add('x'.repeat(30))).error.error).toBe('A keyword must be shorter than 30 characters')
  await add('attack')
  const removed = await server.call(api.keywords.remove, { params: { id: added.data.keyword.id }, token })
  expect(removed.status).toBe(200)
  const listed = (await server.call(api.keywords.list, { token })).data.keywords
  expect(listed.threats.map(({ keyword }) => keyword)).toEqual(['attack'])

  const words = { threats: ['attack', 'Fire', 'fire'], sentiment: ['good'], intent: [], custom: ['پښتو'] }
  const replaced = (await server.call(api.keywords.replace, { body: words, token })).data.keywords
  expect(replaced.threats.map(({ keyword }) => keyword)).toEqual(['attack', 'fire'])
  expect(replaced.threats[0]?.id).toBe(listed.threats[0]?.id)
  const wrapped = await server.call(api.keywords.replace, { body: { keywords: { ...words, custom: [] } }, token })
  expect(wrapped.data.keywords.custom).toEqual([])
  await server.call(api.keywords.clearCategory, { params: { category: 'threats' }, token })
  expect((await server.call(api.keywords.list, { token })).data.keywords.threats).toEqual([])
})

test('keywords of another user are neither found nor listed', async () => {
  const owner = await server.createSignedIn()
  const other = await server.createSignedIn()
  const input = { params: { category: 'custom' as const }, body: { keyword: 'secret' }, token: owner.accessToken }
  const { id } = (await server.call(api.keywords.add, input)).data.keyword
  expect((await server.call(api.keywords.remove, { params: { id }, token: other.accessToken })).error.code).toBe(
    'not_found',
  )
  expect((await server.call(api.keywords.list, { token: other.accessToken })).data.keywords.custom).toEqual([])
  expect((await server.call(api.keywords.list, { token: owner.accessToken })).data.keywords.custom).toHaveLength(1)
})

test('the profile changes names, and ignores fields that the contract lacks', async () => {
  const user = await server.createSignedIn()
  const body = { first_name: 'New', role: 'super_admin', is_verified: false, id: 'x' } as never // fields the contract lacks
  const changed = await server.call(api.profile.update, { body, token: user.accessToken })
  expect(changed.data.user).toMatchObject({ first_name: 'New', role: 'user', is_verified: true, id: user.id })
})
