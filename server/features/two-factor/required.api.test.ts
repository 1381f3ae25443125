import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { newestMail, signIn, totp } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

const password = 'Harvest-moon7'
let server: TestServer | undefined
afterEach(() => server?.close())

async function startAsShipped(gateRequires2fa = true): Promise<TestServer> {
  server = await startTestServer({ config: { gateRequires2fa } })
  return server
}

test('a user who verifies the address and leaves the set-up has no access until a second factor is enabled', async () => {
  const started = await startAsShipped()
  const email = 'leaver@example.org'
  await started.call(api.auth.signUp, { body: { email, username: 'leaver', password } })
  const { token: link } = await newestMail(started, email, 'Verify your e-mail address')
  expect((await started.call(api.auth.verifyEmail, { body: { token: link } })).data.requires_2fa_setup).toBe(true)

  const first = await signIn(started, { email, password })
  expect(first.user).toMatchObject({ two_factor_enabled: false, two_factor_grace: false })
  const again = await signIn(started, { email, password })
  for (const token of [first.access_token, again.access_token]) {
    const refused = await started.call(api.keywords.list, { token })
    expect([refused.status, refused.error.error]).toEqual([403, message('two-factor-required')])
  }

  const token = again.access_token
  const { secret } = (await started.call(api.profile.enableTwoFactor, { token })).data
  const code = await totp(started, secret)
  expect((await started.call(api.profile.verifyTwoFactor, { token, body: { token: code } })).status).toBe(200)
  expect((await started.call(api.keywords.list, { token })).status).toBe(200)
})

test('the first administrator has one sign-in without it', async () => {
  const started = await startAsShipped()
  const [email = '', initial = ''] = (
    await readFile(join(started.config.dataDir, 'initial-admin-password'), 'utf8')
  ).split('\n')
  const { access_token, user } = await signIn(started, { email, password: initial })
  expect(user.two_factor_grace).toBe(true)
  const change = { current_password: initial, new_password: 'Chosen-harvest8!' }
  const { access_token: token } = (
    await started.call(api.profile.changePassword, { token: access_token, body: change })
  ).data
  expect((await started.call(api.admin.stats, { token })).status).toBe(200)

  const second = await signIn(started, { email, password: change.new_password })
  expect(second.user.two_factor_grace).toBe(false)
  for (const used of [token, second.access_token]) {
    expect((await started.call(api.admin.stats, { token: used })).error.code).toBe('two_factor_required')
  }
})

test('nobody else has one, whoever created the account', async () => {
  const started = await startAsShipped()
  const { email } = await started.createUser({ role: 'super_admin', password })
  const { access_token: token } = await signIn(started, { email, password })
  expect((await started.call(api.admin.stats, { token })).error.code).toBe('two_factor_required')
})

test('a server that does not require it gives access without', async () => {
  const started = await startAsShipped(false)
  const { email } = await started.createUser({ password })
  const { access_token: token } = await signIn(started, { email, password })
  expect((await started.call(api.keywords.list, { token })).status).toBe(200)
})
