import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { deviceLifetimeMs } from './known-devices.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a device is known to the account that signed in on it, for 180 days after the last time', async () => {
  server.clock.stop()
  const { devices } = server.services
  const { id } = await server.createUser()
  const token = await devices.remember(id, undefined)
  const known = await devices.recognize(id, token)
  expect(known).toEqual(expect.any(String))
  expect(await devices.recognize((await server.createUser()).id, token)).toBeUndefined()
  server.clock.advance(deviceLifetimeMs - 1)
  expect(await devices.remember(id, token)).toBe(token)
  server.clock.advance(deviceLifetimeMs - 1)
  expect(await devices.recognize(id, token)).toBe(known)
  server.clock.advance(1)
  expect(await devices.recognize(id, token)).toBeUndefined()
})
