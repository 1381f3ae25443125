import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('signs in with the right password and shows the profile', async () => {
  const { email, password } = await server.createUser()
  const { access_token: token } = (await server.call(api.auth.signIn, { body: { email, password } })).data as {
    access_token: string
  }
  const { user } = (await server.call(api.profile.get, { token })).data
  expect(user.email).toBe(email)
})
