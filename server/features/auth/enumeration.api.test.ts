import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { mailsTo } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const unknown = 'nobody@example.org'

const calls = {
  'sign-in': (email: string) => server.call(api.auth.signIn, { body: { email, password: 'Wrong-moon7' } }),
  'forgot password': (email: string) => server.call(api.auth.forgotPassword, { body: { email } }),
  'resend verification': (email: string) => server.call(api.auth.resendVerification, { body: { email } }),
  'verify reset code': (email: string) => server.call(api.auth.verifyResetCode, { body: { email, code: '123456' } }),
}

test.each(Object.entries(calls))('%s answers and works the same for known and unknown e-mail', async (_, call) => {
  const { email } = await server.createUser({ isVerified: false })
  const { hasher, mailer } = server.services
  async function observe(address: string) {
    const before = { hashes: hasher.operations(), queued: mailer.operations() }
    const { status, raw } = await call(address)
    const { request_id: _requestId, ...body } = raw as Record<string, unknown> // the one field that always differs
    return { status, body, hashes: hasher.operations() - before.hashes, queued: mailer.operations() - before.queued }
  }
  expect(await observe(email)).toEqual(await observe(unknown))
})

test('nothing is mailed to an address without an account', async () => {
  for (const call of Object.values(calls)) await call(unknown)
  expect(await mailsTo(server, unknown)).toEqual([])
})
