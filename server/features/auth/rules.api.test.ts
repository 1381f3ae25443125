import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { enableTwoFactor, newestMail, totp } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type TestServer, type SignedInUser } from '#testing/server.ts'

let server: TestServer
let user: SignedInUser
let superAdmin: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn({ email: 'known@example.org', username: 'Known' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})
afterAll(() => server.close())

interface Rule {
  name: string
  spec: EndpointSpec
  body: Record<string, unknown>
  status: number
  /** Situations in docs/messages.md whose message the response must contain, as its error or among its details. */
  says: string[]
  as?: 'user' | 'super admin'
}

const signUp = { email: 'fresh@example.org', username: 'fresh', password: 'Harvest-moon7' }
const rules: Rule[] = [
  ...[
    { name: 'nothing at all', body: {}, says: ['email-required', 'password-required', 'input-several'] },
    { name: 'an empty e-mail', body: { email: '', password: 'x'.repeat(8) }, says: ['email-required'] },
    { name: 'no e-mail address', body: { email: 'someone', password: 'x'.repeat(8) }, says: ['email-malformed'] },
    { name: 'an empty password', body: { email: 'a@b.cd', password: '' }, says: ['password-required'] },
    { name: 'a short password', body: { email: 'a@b.cd', password: '12345' }, says: ['password-short-signin'] },
    {
      name: 'a malformed code',
      body: { email: 'a@b.cd', password: 'x'.repeat(8), totp_token: '12-45' },
      says: ['signin-malformed-code'],
    },
  ].map((rule) => ({ ...rule, name: `sign-in with ${rule.name}`, spec: api.auth.signIn, status: 400 })),
  {
    name: 'sign-in with a wrong password',
    spec: api.auth.signIn,
    body: { email: 'known@example.org', password: 'Wrong-moon7' },
    status: 401,
    says: ['signin-wrong'],
  },
  ...[
    { name: 'nothing', body: {}, says: ['email-required', 'username-required', 'password-required'] },
    { name: 'an empty username', body: { ...signUp, username: ' ' }, says: ['username-required'] },
    { name: 'a short password', body: { ...signUp, password: 'Aa1!xyz' }, says: ['password-short'] },
    {
      name: 'three of five checks',
      body: { ...signUp, password: 'harvestmoon7' },
      says: ['password-uppercase', 'password-special'],
    },
    { name: 'a common password', body: { ...signUp, password: 'Password1!' }, says: ['password-common'] },
  ].map((rule) => ({ ...rule, name: `registration with ${rule.name}`, spec: api.auth.signUp, status: 400 })),
  {
    name: 'registration of a known e-mail in other letters',
    spec: api.auth.signUp,
    body: { ...signUp, email: ' KNOWN@example.org' },
    status: 409,
    says: ['signup-email-taken'],
  },
  {
    name: 'registration of a known username in other letters',
    spec: api.auth.signUp,
    body: { ...signUp, username: 'kNOWN' },
    status: 409,
    says: ['signup-username-taken'],
  },
  {
    name: 'forgot password without e-mail',
    spec: api.auth.forgotPassword,
    body: {},
    status: 400,
    says: ['email-required'],
  },
  {
    name: 'a reset code of letters',
    spec: api.auth.verifyResetCode,
    body: { email: 'known@example.org', code: 'abcdef' },
    status: 400,
    says: ['reset-code-malformed'],
  },
  {
    name: 'a wrong reset code',
    spec: api.auth.verifyResetCode,
    body: { email: 'known@example.org', code: '123456' },
    status: 400,
    says: ['reset-code-wrong'],
  },
  ...[
    { password: 'Aa1&', says: ['password-short'] },
    { password: 'harvestmoon7&', says: ['password-uppercase'] },
    { password: 'HARVESTMOON7&', says: ['password-lowercase'] },
    { password: 'Harvestmoon&', says: ['password-digit'] },
    { password: 'Harvestmoon7#', says: ['password-special'] },
  ].map(({ password, says }) => ({
    name: `reset to ${password}`,
    spec: api.auth.resetPassword,
    body: { email: 'known@example.org', code: '123456', new_password: password },
    status: 400,
    says,
  })),
  {
    name: 'reset by an unknown link',
    spec: api.auth.resetPassword,
    body: { token: 'unknown', new_password: 'Harvestmoon7&' },
    status: 400,
    says: ['reset-link-wrong'],
  },
  {
    name: 'an unknown verification link',
    spec: api.auth.verifyEmail,
    body: { token: 'x' },
    status: 400,
    says: ['verification-wrong'],
  },
  {
    name: 'resend without e-mail or session',
    spec: api.auth.resendVerification,
    body: {},
    status: 400,
    says: ['email-required'],
  },
  ...[
    { password: 'Aa1&', says: ['password-short'] },
    { password: `Aa1&${'xy'.repeat(63)}`, says: ['password-long'] },
    { password: 'harvestmoon7#', says: ['password-uppercase'] },
    { password: 'HARVESTMOON7#', says: ['password-lowercase'] },
    { password: 'Harvestmoon#', says: ['password-digit'] },
    { password: 'Harvestmoon7_', says: ['password-special'] },
    { password: 'Harvestmooon7#', says: ['password-repeated'] },
    { password: 'Harvest-moon7', current: 'Harvest-moon7', says: ['password-special'] },
    { password: 'Harvest-moon7!', current: 'Harvest-moon7!', says: ['password-same'] },
    { password: 'Other-harvest8!', current: 'Wrong-moon7', says: ['password-current-wrong'] },
  ].map(({ password, current, says }) => ({
    name: `change of password to ${password.slice(0, 20)}`,
    spec: api.profile.changePassword,
    body: { current_password: current ?? 'Harvest-moon7', new_password: password },
    status: 400,
    says,
    as: 'user' as const,
  })),
  {
    name: 'a code of letters',
    spec: api.profile.verifyTwoFactor,
    body: { token: 'abc' },
    status: 400,
    says: ['code-malformed'],
    as: 'user',
  },
  {
    name: 'a wrong code',
    spec: api.profile.verifyTwoFactor,
    body: { token: '123456' },
    status: 400,
    says: ['code-wrong'],
    as: 'user',
  },
  {
    name: 'a changed e-mail',
    spec: api.profile.update,
    body: { email: 'o@b.cd' },
    status: 400,
    says: ['email-read-only'],
    as: 'user',
  },
  {
    name: 'an empty username',
    spec: api.profile.update,
    body: { username: '' },
    status: 400,
    says: ['username-required'],
    as: 'user',
  },
  {
    name: 'creating a user without fields',
    spec: api.superAdmin.createUser,
    body: {},
    status: 400,
    says: ['email-required', 'username-required', 'password-required'],
    as: 'super admin',
  },
]

test.each(['Na\0dia', 'Na\ndia', 'Na\u0085dia'])(
  'a name with a control character (%j) is refused',
  async (first_name) => {
    const { status, error } = await server.call(api.profile.update, { body: { first_name }, token: user.accessToken })
    expect([status, error.error]).toEqual([400, message('name-invisible')])
  },
)

test.each(rules)('$name: responds with $status and $says', async ({ spec, body, status, says, as }) => {
  const tokens = { user: user.accessToken, 'super admin': superAdmin.accessToken }
  const token = as && tokens[as]
  const { status: answered, error } = await server.call(spec, { body, token } as never) // the types forbid these bodies
  const sentences = [error.error, ...(error.details ?? [])]
  expect({ answered, missing: says.map(message).filter((text) => !sentences.includes(text)) }).toEqual({
    answered: status,
    missing: [],
  })
})

describe('messages that need a state', () => {
  test('a deactivated account', async () => {
    const { email, password } = await server.createUser({ isActive: false })
    const { error, status } = await server.call(api.auth.signIn, { body: { email, password } })
    expect([status, error.code, error.error]).toEqual([403, 'account_deactivated', message('signin-deactivated')])
    const wrong = await server.call(api.auth.signIn, { body: { email, password: 'Wrong-moon7' } })
    expect(wrong.error.error).toBe(message('signin-wrong'))
  })

  test('two-factor that is enabled, disabled, and required without a code', async () => {
    const owner = await server.createSignedIn()
    const token = owner.accessToken
    const headers = { 'X-TOTP-Token': '123456' }
    const off = await server.call(api.profile.disableTwoFactor, { token, headers })
    expect([off.status, off.error.error]).toEqual([409, message('two-factor-disabled')])
    await enableTwoFactor(server, token)
    const on = await server.call(api.profile.enableTwoFactor, { token })
    expect([on.status, on.error.code, on.error.error]).toEqual([
      409,
      'two_factor_enabled',
      message('two-factor-enabled'),
    ])
    const blank = await server.call(api.profile.disableTwoFactor, { token })
    expect(blank.error.error).toBe(message('code-blank'))
    const wrong = await server.call(api.profile.disableTwoFactor, { token, headers })
    expect(wrong.error.error).toBe(message('code-wrong'))
  })

  test('a blank password in the super admin dialog', async () => {
    const { id } = await server.createUser()
    const answer = await server.call(api.superAdmin.resetPassword, {
      params: { id },
      body: { new_password: ' ' },
      token: superAdmin.accessToken,
    })
    expect(answer.error.error).toBe(message('password-empty'))
  })

  test('a profile with another user’s name', async () => {
    const other = await server.createSignedIn()
    const answer = await server.call(api.profile.update, { body: { username: 'KNOWN' }, token: other.accessToken })
    expect([answer.status, answer.error.error]).toEqual([409, message('signup-username-taken')])
  })

  test('a registration without its proof', async () => {
    const answer = await server.call(api.auth.setUpRegistrationTwoFactor, { body: { user_id: user.id } })
    expect([answer.status, answer.error.error]).toEqual([403, message('registration-proof-missing')])
  })

  test('a registration that succeeds, its mail sent again, and its second factor', async () => {
    const body = { ...signUp, email: 'walk@example.org', username: 'walk' }
    const { data } = await server.call(api.auth.signUp, { body })
    const sent = await server.call(api.auth.resendVerification, { body: { email: body.email } })
    const { token } = await newestMail(server, body.email, 'Verify')
    const { cookies } = await server.call(api.auth.verifyEmail, { body: { token } })
    const user_id = data.user.id
    const { secret } = (await server.call(api.auth.setUpRegistrationTwoFactor, { body: { user_id }, cookies })).data
    const proof = { user_id, totp_token: await totp(server, secret) }
    const verified = await server.call(api.auth.verifyRegistrationTwoFactor, { body: proof, cookies })
    expect([data.message, sent.data.message, verified.data.message]).toEqual([
      message('signup-done'),
      message('verification-sent'),
      message('code-right'),
    ])
  })

  test('a page for a role above that of the user', async () => {
    const admin = await server.createSignedIn({ role: 'admin' })
    const asUser = await server.call(api.admin.stats, { token: user.accessToken })
    expect(asUser.error.error).toBe(message('admin-needed'))
    const asAdmin = await server.call(api.superAdmin.listUsers, { token: admin.accessToken })
    expect(asAdmin.error.error).toBe(message('super-admin-needed'))
    const farBelow = await server.call(api.superAdmin.listUsers, { token: user.accessToken })
    expect(farBelow.error.error).toBe(message('super-admin-needed'))
  })
})
