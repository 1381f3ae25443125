import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { newestMail } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
let nadia: SignedInUser
let superAdmin: SignedInUser
beforeAll(async () => {
  server = await startTestServer({
    config: { publicUrl: 'https://awaz.kabulpress.example', passwordWords: ['Nightjar'] },
  })
  nadia = await server.createSignedIn({ email: 'nadia.khan@example.org', username: 'reporter.nine' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})
afterAll(() => server.close())

const names = { email: 'fresh.voice@example.org', username: 'fresh.voice', first_name: 'Zarlasht', last_name: 'Momand' }

/** Every call that sets a password chosen by a user. Each returns the error, or undefined where the password was accepted. */
const forms = {
  registration: async (password: string) => server.call(api.auth.signUp, { body: { ...names, password } }),
  'a user created by a super admin': async (password: string) =>
    server.call(api.superAdmin.createUser, {
      body: { ...names, role: 'user', password },
      token: superAdmin.accessToken,
    }),
  'change of password': async (password: string) => {
    const body = { current_password: nadia.password, new_password: password }
    return server.call(api.profile.changePassword, { body, token: nadia.accessToken })
  },
  "a super admin's reset": async (password: string) => {
    const input = { params: { id: nadia.id }, body: { new_password: password } }
    return server.call(api.superAdmin.resetPassword, { ...input, token: superAdmin.accessToken })
  },
  'reset by code': async (password: string) => {
    const { code } = await askForReset()
    return server.call(api.auth.resetPassword, { body: { email: nadia.email, code, new_password: password } })
  },
  'reset by link': async (password: string) => {
    const { token } = await askForReset()
    return server.call(api.auth.resetPassword, { body: { token, new_password: password } })
  },
}

async function askForReset() {
  await server.call(api.auth.forgotPassword, { body: { email: nadia.email } })
  return newestMail(server, nadia.email, 'Your password reset code')
}

describe.each(Object.entries(forms))('%s rejects', (name, set) => {
  const isOfNewUser = name === 'registration' || name === 'a user created by a super admin'
  test.each([
    ['a common password', 'Aa@123456', 'password-common'],
    ['a language and a number', 'Pashto@123!', 'password-expected'],
    ['the organisation, of the public address', 'KabulPress@1', 'password-expected'],
    ['what the operator named', 'Nightjar@2026', 'password-expected'],
    [
      'the user’s own address and a digit',
      isOfNewUser ? 'Fresh.voice@example.org1' : 'Nadia.khan@example.org1',
      'password-own',
    ],
    ['the own username', isOfNewUser ? 'Fresh.Voice@7' : 'Reporter.Nine@7', 'password-own'],
    ['an own name', isOfNewUser ? 'Green@Zarlasht7' : 'Green@Person7', 'password-own'],
  ] as const)('%s', async (_, password, situation) => {
    const { status, error } = await set(password)
    expect([status, error.error]).toEqual([400, message(situation)])
  })
})

test('a reset reveals nothing about the names of an account to a stranger, and uses up no code', async () => {
  const body = { email: nadia.email, code: '000000', new_password: 'Green@Person7' }
  const stranger = await server.call(api.auth.resetPassword, { body })
  expect(stranger.error.code).toBe('wrong_code')
  const { code } = await askForReset()
  expect((await server.call(api.auth.resetPassword, { body: { ...body, code } })).error.error).toBe(
    message('password-own'),
  )
  const good = { ...body, code, new_password: 'Harvest@moon7' }
  expect((await server.call(api.auth.resetPassword, { body: good })).status).toBe(200)
})
