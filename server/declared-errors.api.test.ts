import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { enableTwoFactor, newestMail, totp } from '#testing/accounts.ts'
import { makeHeartbeat } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

// Declared errors of endpoints that no other test covers.
let server: TestServer
let superAdmin: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})
afterAll(() => server.close())

const callsWithUser: [string, EndpointSpec, object | undefined][] = [
  ['admin.setRole', api.admin.setRole, { role: 'user' }],
  ['admin.updateUser', api.admin.updateUser, {}],
  ['admin.resetTwoFactor', api.admin.resetTwoFactor, { reason: 'lost phone' }],
  ['admin.setStatus', api.admin.setStatus, { is_active: false }],
  ['admin.unlockUser', api.admin.unlockUser, undefined],
  ['admin.revokeSessions', api.admin.revokeSessions, undefined],
  ['superAdmin.deleteUser', api.superAdmin.deleteUser, undefined],
  ['superAdmin.resetPassword', api.superAdmin.resetPassword, { new_password: 'Other-harvest8!' }],
  ['superAdmin.setRole', api.superAdmin.setRole, { role: 'user' }],
]

test.each(callsWithUser)('%s responds with not_found for an unknown user', async (_, spec, body) => {
  const input = { params: { id: 'f'.repeat(24) }, body, token: superAdmin.accessToken }
  expect((await server.call(spec, input as never)).error.code).toBe('not_found') // specs in a list lose their types
})

test('the last super admin cannot be demoted through the admin endpoint either', async () => {
  const alone = await startTestServer()
  try {
    const { data } = await alone.call(api.auth.signIn, {
      body: { email: (await alone.createUser({ role: 'super_admin' })).email, password: 'Harvest-moon7' },
    })
    if (!('access_token' in data)) throw new Error('not signed in')
    const first = await alone.services.users.findByEmail(alone.config.adminEmail)
    const token = data.access_token
    const setRole = (id: string) => alone.call(api.admin.setRole, { params: { id }, body: { role: 'user' }, token })
    expect((await setRole(first?.id ?? '')).status).toBe(200)
    expect((await setRole(data.user.id)).error.code).toBe('conflict')
  } finally {
    await alone.close()
  }
})

test('creating a user with a taken username responds with username_taken', async () => {
  const { username } = await server.createUser()
  const body = { email: 'free@example.org', username, password: 'Harvest-moon7' }
  const response = await server.call(api.superAdmin.createUser, { body, token: superAdmin.accessToken })
  expect(response.error.code).toBe('username_taken')
})

test('registration two-factor is rejected without proof, and once it is enabled', async () => {
  const user = await server.createSignedIn({ isVerified: false })
  await server.call(api.auth.resendVerification, { body: {}, token: user.accessToken })
  const { token } = await newestMail(server, user.email, 'Verify')
  const { cookies } = await server.call(api.auth.verifyEmail, { body: { token } })
  const body = { user_id: user.id, totp_token: '123456' }
  const withoutProof = await server.call(api.auth.verifyRegistrationTwoFactor, { body })
  expect(withoutProof.error.code).toBe('registration_proof_missing')
  const another = await server.createUser()
  const forAnother = await server.call(api.auth.setUpRegistrationTwoFactor, { body: { user_id: another.id }, cookies })
  expect(forAnother.error.code).toBe('registration_proof_missing')
  await enableTwoFactor(server, user.accessToken)
  const late = await server.call(api.auth.setUpRegistrationTwoFactor, { body: { user_id: user.id }, cookies })
  expect(late.error.code).toBe('two_factor_enabled')
  const expired = await server.createSignedIn()
  server.clock.advance(31 * 60_000)
  const old = await server.call(api.auth.setUpRegistrationTwoFactor, { body: { user_id: expired.id }, cookies })
  expect(old.error.code).toBe('registration_proof_missing')
})

describe('codes of a signed-in user', () => {
  const headers = { 'X-TOTP-Token': '123456' }

  test('are rejected while two-factor is disabled', async () => {
    const { accessToken: token } = await server.createSignedIn()
    expect((await server.call(api.profile.renewBackupCodes, { token, headers })).error.code).toBe('conflict')
  })

  test('lock the account after repeated wrong codes on any endpoint', async () => {
    const { accessToken: token } = await server.createSignedIn()
    const { secret } = await enableTwoFactor(server, token)
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await server.call(api.profile.renewBackupCodes, { token, headers })).error.code).toBe('wrong_code')
    }
    const validCode = await totp(server, secret, 1)
    const responses = [
      await server.call(api.profile.renewBackupCodes, { token, headers: { 'X-TOTP-Token': validCode } }),
      await server.call(api.profile.disableTwoFactor, { token, headers: { 'X-TOTP-Token': validCode } }),
      await server.call(api.profile.verifyTwoFactor, { token, body: { token: validCode } }),
    ]
    expect(responses.map(({ error }) => error.code)).toEqual(['account_locked', 'account_locked', 'account_locked'])
    server.clock.advance(120_000)
    const later = await server.call(api.profile.verifyTwoFactor, { token, body: { token: await totp(server, secret) } })
    expect(later.data.valid).toBe(true)
  })
})

test('GET /api/languages returns the languages and the features of the active models', async () => {
  const {
    translation_languages: targets,
    transcription_languages: sources,
    features,
  } = (await server.call(api.system.languages)).data
  expect(Object.entries(sources)).toEqual([
    ['ps', 'Pashto'],
    ['en', 'English'],
    ['ur', 'Urdu'],
    ['fa', 'Persian'],
    ['ar', 'Arabic'],
  ])
  expect(targets).toMatchObject({ en: 'English', ur: 'Urdu' })
  expect(Object.keys(targets).length).toBeGreaterThan(50)
  expect(features.transcription.every((code) => code in sources)).toBe(true)
})

test('GET /readyz is 200 when every check passes, and names each', async () => {
  const ready = await startTestServer()
  try {
    await recordHeartbeat(ready.services.database.connection, 'engine', makeHeartbeat())
    const { checks, status } = (await ready.call(api.system.ready)).data
    expect(status).toBe('ready')
    expect(checks).toMatchObject({ database: { ok: true }, data_folder: { ok: true }, engine: { ok: true } })
  } finally {
    await ready.close()
  }
})
