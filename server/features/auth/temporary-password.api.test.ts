import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { signIn } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
let superAdmin: SignedInUser
beforeAll(async () => {
  server = await startTestServer({ config: { temporaryPasswordDays: 3 } })
})
afterAll(() => server.close())

const dayMs = 24 * 60 * 60_000
const attempt = (email: string, password: string) => server.call(api.auth.signIn, { body: { email, password } })

async function signInSuperAdmin(): Promise<string> {
  superAdmin ??= await server.createSignedIn({ role: 'super_admin' })
  return (await signIn(server, superAdmin)).access_token
}

async function resetByAdmin(id: string, password: string): Promise<void> {
  const body = { new_password: password }
  await server.call(api.superAdmin.resetPassword, { params: { id }, body, token: await signInSuperAdmin() })
}

test('a password that an admin set expires, is rejected with the reason, and can be replaced', async () => {
  const { id, email } = await server.createUser()
  await resetByAdmin(id, 'Given-harvest8!')
  expect((await signIn(server, { email, password: 'Given-harvest8!' })).user.must_change_password).toBe(true)
  server.clock.advance(3 * dayMs + 1000)
  const late = await attempt(email, 'Given-harvest8!')
  expect([late.status, late.error.code, late.error.error]).toEqual([
    403,
    'password_expired',
    message('password-expired'),
  ])
  expect((await attempt(email, 'Wrong-moon7')).error.code).toBe('sign_in_failed')
  await resetByAdmin(id, 'Again-harvest8!')
  const { access_token: token } = await signIn(server, { email, password: 'Again-harvest8!' })
  const body = { current_password: 'Again-harvest8!', new_password: 'Other-harvest9!' }
  expect((await server.call(api.profile.changePassword, { body, token })).status).toBe(200)
  server.clock.advance(30 * dayMs)
  expect((await signIn(server, { email, password: 'Other-harvest9!' })).user.must_change_password).toBe(false)
})

test('an account that an admin created needs a password of its own at the first sign-in, and expires without one', async () => {
  const token = await signInSuperAdmin()
  const password = 'Given-harvest8!'
  const make = (name: string) =>
    server.call(api.superAdmin.createUser, { body: { email: `${name}@example.org`, username: name, password }, token })
  await make('unused')
  await make('used')
  const { user, access_token } = await signIn(server, { email: 'used@example.org', password })
  expect(user.must_change_password).toBe(true)
  expect((await server.call(api.keywords.list, { token: access_token })).error.code).toBe('password_change_required')
  server.clock.advance(3 * dayMs + 1000)
  for (const email of ['unused@example.org', 'used@example.org']) {
    expect((await attempt(email, password)).error.code).toBe('password_expired')
  }
})

test('a password that the user chose does not expire', async () => {
  const { email, password } = await server.createUser()
  server.clock.advance(300 * dayMs)
  expect((await attempt(email, password)).status).toBe(200)
})

test('the first super admin’s password expires as well', async () => {
  const admin = await server.services.users.findByEmail(server.config.adminEmail)
  expect(admin?.passwordExpiresAt).toBeInstanceOf(Date)
})
