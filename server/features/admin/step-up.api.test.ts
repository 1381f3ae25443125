import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api, listEndpoints } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { enableTwoFactor, signIn, totp } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

/** Endpoints that change other accounts or how users sign in, written out so that the contract is not compared with itself. */
const writes = [
  'admin.updateUser',
  'admin.resetTwoFactor',
  'admin.setRole',
  'admin.setStatus',
  'admin.unlockUser',
  'admin.revokeSessions',
  'admin.deleteUser',
  'admin.bulkUsers',
  'admin.endSession',
  'superAdmin.createUser',
  'superAdmin.deleteUser',
  'superAdmin.resetPassword',
  'recovery.openLibrary',
  'recovery.applyEmailChange',
  'recovery.stopEmailChange',
  'superAdmin.setRole',
  'superAdmin.sendMail',
  'upkeep.makeSupportArchive',
  'invitations.create',
  'invitations.resend',
  'invitations.revoke',
  'invitations.previewImport',
  'invitations.import',
  'watchFolder.bind',
  'signInAdmin.changeSettings',
  'signInAdmin.createProvider',
  'signInAdmin.updateProvider',
  'signInAdmin.deleteProvider',
  'signInAdmin.testProvider',
  'retention.setRoleDays',
  'retention.setCaseDays',
]
/** Reads of administrators that give access to an account: mails carry links and codes. */
const reads = ['superAdmin.readMail']
/** Writes of administrators that affect no account. */
const others = [/^superAdmin\.testMail$/, /^models\./, /^upkeep\.(start\w+|cancelRun)$/]
const overFiveMinutesMs = 5 * 60_000 + 1000

let server: TestServer
let admin: SignedInUser
let user: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  admin = await server.createSignedIn({ role: 'super_admin' })
  user = await server.createSignedIn()
})

function attempt(name: string, token: string) {
  const spec = listEndpoints().find((endpoint) => endpoint.name === name)?.spec as EndpointSpec // always found: see the first test
  const input = { params: { id: user.id }, ...(spec.body && { body: { unknown: 1 } }), token }
  return server.call(spec, input as never) // specs in a list lose their types
}

function revoke(token: string) {
  return server.call(api.admin.revokeSessions, { params: { id: user.id }, token })
}

function confirm(body: { password: string; totp_token?: string }, token = admin.accessToken) {
  return server.call(api.profile.confirmPassword, { body, token })
}

test('every write of administrators is among those that ask for a confirmation, or reaches no account', () => {
  const all = listEndpoints().filter(
    ({ spec }) => ['admin', 'super_admin'].includes(spec.access) && spec.method !== 'GET',
  )
  const rest = all.map(({ name }) => name).filter((name) => !others.some((pattern) => pattern.test(name)))
  expect(rest.toSorted()).toEqual(writes.toSorted())
})

test.each([...writes, ...reads])(
  '%s asks for the password five minutes after it was entered, and does nothing',
  async (name) => {
    server.clock.advance(overFiveMinutesMs)
    const { status, error } = await attempt(name, admin.accessToken)
    expect([status, error.code, error.error]).toEqual([
      403,
      'password_confirmation_required',
      message('password-confirmation'),
    ])
    expect(await server.services.users.findById(user.id)).toMatchObject({ isActive: true, role: 'user' })
  },
)

test('other reading asks for none', async () => {
  server.clock.advance(overFiveMinutesMs)
  const all = listEndpoints().filter(
    ({ spec }) => ['admin', 'super_admin'].includes(spec.access) && spec.method === 'GET',
  )
  const refused = []
  for (const { name } of all) {
    const { status, raw } = await attempt(name, admin.accessToken)
    if (status === 403 && (raw as { code: string }).code === 'password_confirmation_required') refused.push(name)
  }
  expect(all.length).toBeGreaterThan(10)
  expect(refused).toEqual(reads)
})

test('whoever has no right to the call is told that first', async () => {
  server.clock.advance(overFiveMinutesMs)
  expect((await revoke(user.accessToken)).error.code).toBe('forbidden')
})

describe('the call goes through', () => {
  test('within five minutes of the sign-in', async () => {
    server.clock.advance(4 * 60_000)
    expect((await revoke(admin.accessToken)).status).toBe(200)
  })

  test('after the password, where there is no second factor', async () => {
    server.clock.advance(overFiveMinutesMs)
    const { access_token: token } = (await confirm({ password: admin.password })).data
    expect((await revoke(token)).status).toBe(200)
  })

  test('after password and code, not after the password alone', async () => {
    const { secret } = await enableTwoFactor(server, admin.accessToken)
    server.clock.advance(overFiveMinutesMs)
    const first = (await confirm({ password: admin.password })).data.access_token
    expect((await revoke(first)).error.code).toBe('password_confirmation_required')
    const wrong = await confirm({ password: admin.password, totp_token: '000000' }, first)
    expect(wrong.error.code).toBe('wrong_code')
    const right = { password: admin.password, totp_token: await totp(server, secret) }
    const { access_token: token } = (await confirm(right, first)).data
    expect((await revoke(token)).status).toBe(200)
  })

  test('of somebody with a passkey alone, after a new sign-in only', async () => {
    await server.services.users.update(admin.id, { hasPasskey: true })
    server.clock.advance(overFiveMinutesMs)
    const { access_token: token } = (await confirm({ password: admin.password })).data
    expect((await revoke(token)).error.code).toBe('password_confirmation_required')
    await server.services.users.update(admin.id, { hasPasskey: false })
    expect((await revoke((await signIn(server, admin)).access_token)).status).toBe(200)
  })
})
