import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enableTwoFactor, newestMail, totp } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

// The calls of accounts specification, section 7, as programs outside the repository make them: by their own paths and field names, which
// the contract must not change.
let server: TestServer
let admin: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.createSignedIn({ role: 'super_admin' })
})
afterAll(() => server.close())

interface Request {
  body?: object
  token?: string
  headers?: Record<string, string>
}

/** Sends `POST /api/auth/signin` and the like. Returns the response with its cookies. */
async function send(call: string, { body, token, headers }: Request = {}) {
  const [method = '', path = ''] = call.split(' ')
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return { status: response.status, cookie, body: (await response.json()) as Record<string, unknown> }
}

const userFields =
  'id first_name last_name username email role is_active is_verified two_factor_enabled created_at last_login'
const strong = 'Harvest-moon7'
const stronger = 'Other-harvest8!'

/** Expects a response with these fields; `user` with every field of the specification. */
function expectFields({ status, body }: Awaited<ReturnType<typeof send>>, ...fields: string[]) {
  const missing = fields.filter((field) => !(field in body))
  const shown = Object.keys(body.user ?? {})
  const missingOfUser = fields.includes('user') ? userFields.split(' ').filter((field) => !shown.includes(field)) : []
  expect({ isDone: status === 200 || status === 201, missing, missingOfUser }).toEqual({
    isDone: true,
    missing: [],
    missingOfUser: [],
  })
}

describe('calls without a session', () => {
  test('POST /signup takes the registration payload', async () => {
    const body = { email: 'new@example.org', username: 'new', password: strong, first_name: 'A', last_name: 'B' }
    const answer = await send('POST /api/auth/signup', { body })
    expectFields(answer, 'message', 'user')
    const { password: _password, ...shown } = body
    expect(answer.body.user).toMatchObject(shown)
  })

  test('POST /signin returns tokens and user', async () => {
    const { email, password } = await server.createUser()
    const body = { email, password, remember_me: true }
    expectFields(await send('POST /api/auth/signin', { body }), 'access_token', 'refresh_token', 'user')
  })

  test('POST /signin takes the code, and says where one is needed', async () => {
    const user = await server.createSignedIn()
    const { secret } = await enableTwoFactor(server, user.accessToken)
    const body = { email: user.email, password: user.password, remember_me: false }
    const asked = await send('POST /api/auth/signin', { body })
    expectFields(asked, 'requires_2fa', 'user_id')
    const withCode = { ...body, totp_token: await totp(server, secret, 1) }
    expectFields(await send('POST /api/auth/signin', { body: withCode }), 'access_token')
  })

  test('POST /signin says where the address must be verified first', async () => {
    const { email, password } = await server.createUser({ isVerified: false })
    const answer = await send('POST /api/auth/signin', { body: { email, password } })
    expectFields(answer, 'requires_verification', 'user_id', 'message')
  })

  test('POST /signin answers 423 with remaining_seconds while the account is locked', async () => {
    const body = { email: 'locked@example.org', password: 'Wrong-moon7' }
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await send('POST /api/auth/signin', { body })).toMatchObject({
        status: 401,
        body: { error: 'Invalid email or password' },
      })
    }
    expect(await send('POST /api/auth/signin', { body })).toMatchObject({
      status: 423,
      body: { remaining_seconds: 120 },
    })
  })

  test('POST /refresh and POST /signout take the refresh token', async () => {
    const { refreshToken } = await server.createSignedIn()
    const renewed = await send('POST /api/auth/refresh', { body: { refresh_token: refreshToken } })
    expectFields(renewed, 'access_token')
    const body = { refresh_token: renewed.body.refresh_token }
    expectFields(await send('POST /api/auth/signout', { body }), 'message')
    expect((await send('POST /api/auth/refresh', { body })).status).toBe(401)
  })

  test('POST /verify-email, POST /registration/setup-2fa and POST /registration/verify-2fa follow one another', async () => {
    const { id, email } = await server.createUser({ isVerified: false })
    expectFields(await send('POST /api/auth/resend-verification', { body: { email } }), 'message')
    const { token } = await newestMail(server, email, 'Verify')
    const verified = await send('POST /api/auth/verify-email', { body: { token } })
    expectFields(verified, 'requires_2fa_setup', 'user_id', 'user')
    expect(await send('POST /api/auth/verify-email', { body: { token } })).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    })
    const headers = { Cookie: verified.cookie }
    const begun = await send('POST /api/auth/registration/setup-2fa', { body: { user_id: id }, headers })
    expectFields(begun, 'qr_code', 'secret', 'backup_codes')
    const code = await totp(server, String(begun.body.secret))
    const confirm = (totp_token: string) =>
      send('POST /api/auth/registration/verify-2fa', { body: { user_id: id, totp_token }, headers })
    expect(await confirm('000000')).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    expectFields(await confirm(code), 'message')
  })

  test('POST /forgot-password, POST /verify-reset-code and POST /reset-password follow one another', async () => {
    const { email } = await server.createUser()
    expectFields(await send('POST /api/auth/forgot-password', { body: { email } }), 'message')
    const { code } = await newestMail(server, email, 'Your password reset code')
    expect(code).toMatch(/^\d{6}$/)
    expectFields(await send('POST /api/auth/verify-reset-code', { body: { email, code } }), 'message')
    const body = { email, code, new_password: stronger }
    expectFields(await send('POST /api/auth/reset-password', { body }), 'message')
  })
})

describe('calls of a signed-in user', () => {
  test('GET /profile and PUT /profile return and take the names', async () => {
    const { accessToken: token, email } = await server.createSignedIn()
    expectFields(await send('GET /api/auth/profile', { token }), 'user')
    const body = { first_name: 'Nadia', last_name: 'Khan', username: 'nadia.khan', email }
    expect((await send('PUT /api/auth/profile', { token, body })).status).toBe(200)
    expect((await send('GET /api/auth/profile', { token })).body.user).toMatchObject(body)
  })

  test('POST /resend-verification works without a body', async () => {
    const { accessToken: token, email } = await server.createSignedIn({ isVerified: false })
    expectFields(await send('POST /api/auth/resend-verification', { token }), 'message')
    expect((await newestMail(server, email, 'Verify')).token).not.toBe('')
  })

  test('POST /change-password takes the current and the new password', async () => {
    const { accessToken: token, password } = await server.createSignedIn()
    const body = { current_password: password, new_password: stronger }
    expect((await send('POST /api/auth/change-password', { token, body })).status).toBe(200)
  })

  test('POST /2fa/enable, POST /2fa/verify and POST /2fa/disable follow one another', async () => {
    const { accessToken: token } = await server.createSignedIn()
    const begun = await send('POST /api/auth/2fa/enable', { token })
    expectFields(begun, 'backup_codes', 'qr_code', 'totp_uri')
    const secret = String(begun.body.secret)
    const verified = await send('POST /api/auth/2fa/verify', { token, body: { token: await totp(server, secret) } })
    expect(verified).toMatchObject({ status: 200, body: { valid: true } })
    const headers = { 'X-TOTP-Token': await totp(server, secret, 1) }
    const disabled = await send('POST /api/auth/2fa/disable', { token, headers })
    expectFields(disabled, 'user')
    expect(disabled.body.user).toMatchObject({ two_factor_enabled: false })
  })

  test('GET /sessions, DELETE /sessions/{id} and DELETE /sessions list and end sessions', async () => {
    const { accessToken: token, email, password } = await server.createSignedIn()
    await send('POST /api/auth/signin', { body: { email, password } })
    const { sessions } = (await send('GET /api/auth/sessions', { token })).body as {
      sessions: { id: string; current: boolean }[] // checked below
    }
    expect(sessions).toHaveLength(2)
    for (const field of ['id', 'ip_address', 'last_used', 'expires_at']) expect(sessions[0]).toHaveProperty(field)
    const other = sessions.find(({ current }) => !current)
    expect((await send(`DELETE /api/auth/sessions/${other?.id}`, { token })).status).toBe(200)
    expect((await send('DELETE /api/auth/sessions', { token })).status).toBe(200)
    expect((await send('GET /api/auth/sessions', { token })).status).toBe(401)
  })
})

describe('calls of administrators', () => {
  test('GET /admin/users is paged and searched, ten per page from the first on', async () => {
    const { email } = await server.createUser()
    const token = admin.accessToken
    const found = await send(`GET /api/auth/admin/users?page=1&per_page=5&search=${email}`, { token })
    expect(found.body).toMatchObject({ users: [{ email }], page: 1, per_page: 5 })
    expect((await send('GET /api/auth/admin/users', { token })).body).toMatchObject({ page: 1, per_page: 10 })
  })

  test('GET /admin/users/{id} returns user, sessions and recent attempts', async () => {
    const { id, email, password } = await server.createUser()
    await send('POST /api/auth/signin', { body: { email, password: 'Wrong-moon7' } })
    await send('POST /api/auth/signin', { body: { email, password } })
    const details = await send(`GET /api/auth/admin/users/${id}`, { token: admin.accessToken })
    expectFields(details, 'user', 'sessions', 'recent_login_attempts')
    const [session] = details.body.sessions as object[] // a list, or the next line fails
    expect(Object.keys(session ?? {})).toEqual(expect.arrayContaining(['id', 'ip_address', 'last_used', 'expires_at']))
    expect(details.body.recent_login_attempts).toMatchObject([
      { id: expect.any(String), success: true, failure_reason: null, attempted_at: expect.any(String) },
      { id: expect.any(String), success: false, failure_reason: 'wrong_password', attempted_at: expect.any(String) },
    ])
  })

  test('GET /admin/stats counts users', async () => {
    const answer = await send('GET /api/auth/admin/stats', { token: admin.accessToken })
    expectFields(answer, 'total_users', 'active_users', 'verified_users', 'users_with_2fa')
  })

  test.each([
    ['PUT /api/auth/admin/users/{id}/role', { role: 'admin' }, { user: { role: 'admin' } }],
    ['PUT /api/auth/admin/users/{id}/status', { is_active: false }, { user: { is_active: false } }],
    ['DELETE /api/auth/admin/users/{id}/sessions', undefined, { sessions: [] }],
    ['DELETE /api/auth/admin/users/{id}', undefined, { error: expect.any(String) }],
    ['PUT /api/auth/super-admin/users/{id}/role', { role: 'super_admin' }, { user: { role: 'super_admin' } }],
    ['POST /api/auth/super-admin/users/{id}/reset-password', { new_password: stronger }, { sessions: [] }],
    ['DELETE /api/auth/super-admin/users/{id}', undefined, { error: expect.any(String) }],
  ])('%s takes %j', async (call, body, outcome) => {
    const { id } = await server.createSignedIn()
    const details = async () => (await send(`GET /api/auth/admin/users/${id}`, { token: admin.accessToken })).body
    expect(await details()).toMatchObject({ user: { role: 'user', is_active: true }, sessions: [{}] })
    const answer = await send(call.replace('{id}', id), { token: admin.accessToken, ...(body && { body }) })
    expect(answer.status).toBe(200)
    expect(await details()).toMatchObject(outcome)
  })

  test('POST /super-admin/users/{id}/reset-password lists the requirements that are not met', async () => {
    const { id } = await server.createUser()
    const call = `POST /api/auth/super-admin/users/${id}/reset-password`
    const answer = await send(call, { token: admin.accessToken, body: { new_password: 'weak' } })
    expect(answer).toMatchObject({ status: 400, body: { details: expect.arrayContaining([expect.any(String)]) } })
  })

  test('POST /super-admin/create-user takes the new-user form, whose role and states have defaults', async () => {
    const body = { email: 'made@example.org', username: 'made', password: strong, first_name: 'A', last_name: 'B' }
    const made = await send('POST /api/auth/super-admin/create-user', { token: admin.accessToken, body })
    const { password, ...shown } = body
    expect(made.body.user).toMatchObject({ ...shown, role: 'user', is_verified: true, is_active: true })
    expect((await send('POST /api/auth/signin', { body: { email: body.email, password } })).status).toBe(200)
    const other = {
      ...body,
      email: 'm2@example.org',
      username: 'm2',
      role: 'admin',
      is_verified: false,
      is_active: false,
    }
    const second = await send('POST /api/auth/super-admin/create-user', { token: admin.accessToken, body: other })
    expect(second.body.user).toMatchObject({ role: 'admin', is_verified: false, is_active: false })
  })

  test('GET /super-admin/users is filtered by role and leaves out the caller where asked to', async () => {
    const query = 'page=1&per_page=100&search=&role=super_admin&exclude_self'
    const call = (isWithoutSelf: boolean) => `GET /api/auth/super-admin/users?${query}=${isWithoutSelf}`
    const emailsOf = async (isWithoutSelf: boolean) => {
      const { users } = (await send(call(isWithoutSelf), { token: admin.accessToken })).body as {
        users: { email: string; role: string }[] // checked below
      }
      expect(new Set(users.map(({ role }) => role))).toEqual(new Set(['super_admin']))
      return users.map(({ email }) => email)
    }
    const all = await emailsOf(false)
    expect(all).toContain(admin.email)
    expect(await emailsOf(true)).toEqual(all.filter((email) => email !== admin.email))
  })
})
