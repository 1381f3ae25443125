import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { mailsTo } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const read = async (token: string) => (await server.call(api.profile.getNotifications, { token })).data
const subjectsTo = async (email: string) => (await mailsTo(server, email)).map(({ subject }) => subject)

async function changePassword(user: SignedInUser) {
  const body = { current_password: user.password, new_password: 'Other-harvest8!' }
  await server.call(api.profile.changePassword, { body, token: user.accessToken })
}

test('a user gets all mails until they choose otherwise, each user apart', async () => {
  const [user, other] = [await server.createSignedIn(), await server.createSignedIn()]
  expect(await read(user.accessToken)).toEqual({ email: true, security_alerts: true })
  const body = { email: false, security_alerts: true }
  const changed = await server.call(api.profile.changeNotifications, { body, token: user.accessToken })
  expect(changed.data).toEqual(body)
  expect(await read(user.accessToken)).toEqual(body)
  expect(await read(other.accessToken)).toEqual({ email: true, security_alerts: true })
})

test('a changed password is told by mail', async () => {
  const user = await server.createSignedIn()
  await changePassword(user)
  expect(await subjectsTo(user.email)).toEqual(['Your password was changed'])
})

test('who switches security alerts off gets a last one, and none afterwards', async () => {
  const user = await server.createSignedIn()
  const body = { email: true, security_alerts: false }
  await server.call(api.profile.changeNotifications, { body, token: user.accessToken })
  await changePassword(user)
  expect(await subjectsTo(user.email)).toEqual(['Security alerts were switched off'])
})
