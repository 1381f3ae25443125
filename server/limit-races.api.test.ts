import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, listEndpoints } from '#contract/api.ts'
import { maxWatchLists } from '#contract/alerts.ts'
import { ErrorBody } from '#contract/errors.ts'
import { toObjectId } from '#data/ids.ts'
import { limitRaces } from '#testing/limit-races.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

// Limits are enforced by the write itself (docs/decisions/limits.md): of simultaneous calls, exactly as many succeed as there is room for.

const limited = listEndpoints().flatMap(({ name, spec }) => (spec.limit ? [{ name, ...spec.limit }] : []))
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('every endpoint with a limit is raced', () => {
  expect(Object.keys(limitRaces).toSorted()).toEqual(limited.map(({ name }) => name).toSorted())
})

test.each(limited)(
  '$name fills what holds $max to the last place, and refuses the rest',
  async ({ name, max, error }) => {
    const race = await limitRaces[name]?.({ server, user: await server.createSignedIn() })
    if (!race) throw new Error(`There is no race for ${name}`)
    const { calls = 50, room = 5, otherErrors = [], replacesAll = false } = race
    const first = await race.call(-1)
    expect([first.status, first.raw]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()])
    await race.fill(Math.max(0, max - room - (await race.count())))
    await race.prepare?.(calls)
    const before = await race.count()
    const answers = await Promise.all(Array.from({ length: calls }, (_, number) => race.call(number)))
    const codes = answers.map(({ status, raw }) => (status < 300 ? 'success' : ErrorBody.parse(raw).code))
    const expected: string[] = ['success', error, ...otherErrors]
    expect(codes.filter((code) => !expected.includes(code))).toEqual([])
    expect(codes).toContain(error)
    const filled = { count: max, added: max - before }
    const atMost = { count: expect.toSatisfy((count: number) => count <= max), added: expect.any(Number) }
    expect({
      count: await race.count(),
      added: codes.filter((code) => code === 'success').length,
    }).toEqual(replacesAll ? atMost : filled)
  },
)

test('watch lists of a version that counted first may be too many: none is lost, and one is added once there is room', async () => {
  const { id, accessToken: token } = await server.createSignedIn()
  const add = (name: string) => server.call(api.alerts.addWatchList, { token, body: { name, words: ['river'] } })
  const first = (await add('First')).data
  const collection = server.services.database.connection.collection('watch_lists')
  const owned = { ownerId: toObjectId(id) }
  const stored = await collection.findOne(owned)
  if (!stored) throw new Error('No watch list was stored')
  const { _id, slot: _slot, ...fields } = stored
  const surplus = 30
  const names = Array.from({ length: maxWatchLists + surplus - 1 }, (_, number) => `Old ${number}`)
  await collection.insertMany(names.map((name) => ({ ...fields, name })))
  expect((await add('New')).error.code).toBe('conflict')
  await collection.deleteMany({ ...owned, name: { $in: names.slice(0, surplus) } })
  expect((await add('New')).error.code).toBe('conflict')
  await server.call(api.alerts.removeWatchList, { params: { id: first.id }, token })
  expect((await add('New')).status).toBe(201)
  expect((await add('Newer')).error.code).toBe('conflict')
  expect(await collection.countDocuments(owned)).toBe(maxWatchLists)
})
