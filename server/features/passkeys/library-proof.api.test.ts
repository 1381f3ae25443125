import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { signIn } from '#testing/accounts.ts'
import { signWithPasskey, type SoftwarePasskey } from '#testing/authenticator.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { addPasskey, originOf } from './testing/passkeys.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Returns a user whose passkey and password were reset by a super admin, signed in with that password. */
async function createReset() {
  const user = await server.createSignedIn()
  const { key } = await addPasskey(server, user)
  const { accessToken: token } = await server.createSignedIn({ role: 'super_admin' })
  const params = { id: user.id }
  await server.call(api.admin.resetTwoFactor, { params, body: { reason: 'Lost the phone' }, token })
  await server.call(api.superAdmin.resetPassword, { params, body: { new_password: 'Given-harvest8!' }, token })
  const session = await signIn(server, { email: user.email, password: 'Given-harvest8!' })
  const body = { current_password: 'Given-harvest8!', new_password: 'Chosen-harvest8!' }
  const changed = await server.call(api.profile.changePassword, { body, token: session.access_token })
  return { user, key, token: changed.data.access_token, closure: changed.data.user.library_closure }
}

async function prove(key: SoftwarePasskey, token: string, settings: { challenge?: string; userHandle?: string } = {}) {
  const { options } = (await server.call(api.passkeys.beginProof, { token })).data
  const response = signWithPasskey(key, options, { origin: originOf(server), ...settings })
  return { response, answer: await server.call(api.passkeys.openLibrary, { body: { response }, token }) }
}

test('a passkey that a reset removed opens the library', async () => {
  const { key, token, closure } = await createReset()
  expect(closure?.proofs).toEqual(['password', 'passkey'])
  const { answer } = await prove(key, token)
  expect(answer.data.user).toMatchObject({ library_closure: null, has_passkey: false })
  expect((await server.call(api.recordings.list, { token })).status).toBe(200)
})

test('another passkey, another challenge, and an answer used before do not', async () => {
  const { key, token } = await createReset()
  const other = await createReset()
  expect((await prove(other.key, token)).answer.error.code).toBe('wrong_code')
  expect((await prove(key, token, { challenge: 'bm90LWlzc3VlZA' })).answer.error.code).toBe('wrong_code')
  const { response } = await prove(other.key, token)
  expect((await server.call(api.passkeys.openLibrary, { body: { response }, token })).error.code).toBe('wrong_code')
  expect((await server.call(api.recordings.list, { token })).error.code).toBe('library_closed')
})

test('is refused where the library is open', async () => {
  const { accessToken: token } = await server.createSignedIn()
  expect((await server.call(api.passkeys.beginProof, { token })).error.code).toBe('conflict')
  const body = { response: { id: 'x', type: 'public-key' as const } }
  expect((await server.call(api.passkeys.openLibrary, { body, token })).error.code).toBe('conflict')
})
