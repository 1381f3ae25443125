import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startSingleSignOn, type SingleSignOn } from './testing/single-sign-on.ts'

const limit = 4
let sso: SingleSignOn
beforeAll(async () => {
  sso = await startSingleSignOn({ server: { config: { rates: { signInPerMinute: limit } } } })
})
afterAll(() => sso.close())

test('beginning and finishing count as sign-ins of their address', async () => {
  const { server, providerId } = sso
  const start = () => server.call(api.sso.start, { params: { id: providerId }, body: {} })
  const finish = () => server.call(api.sso.finish, { body: { ticket: 'unknown' } })
  const signIn = () =>
    server.call(api.auth.signIn, { body: { email: 'nobody@example.org', password: 'Harvest-moon7' } })
  // Advances to the start of a rate limit window, so that the next one does not begin during the test.
  server.clock.advance(60_000 - (server.clock.now() % 60_000))
  const statuses: number[] = []
  for (let round = 0; round < limit; round += 1) statuses.push((await start()).status, (await finish()).status)
  expect(statuses).toEqual([200, 403, 200, 403, 429, 429, 429, 429])
  expect([await start(), await finish(), await signIn()].map(({ status }) => status)).toEqual([429, 429, 429])
})
