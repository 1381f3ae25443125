import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

test.each(Object.entries(calls))(
  '%s responds and works the same for known and unknown e-mail addresses',
  async (_, call) => {
    const { email } = await server.createUser({ isVerified: false })
    const { hasher, mailer } = server.services
    async function observe(address: string) {
      const before = { hashes: hasher.operations(), queued: mailer.operations() }
      const { status, raw } = await call(address)
      const { request_id: _requestId, ...body } = raw as Record<string, unknown> // the one field that always differs
      return { status, body, hashes: hasher.operations() - before.hashes, queued: mailer.operations() - before.queued }
    }
    expect(await observe(email)).toEqual(await observe(unknown))
  },
)

test('nothing is mailed to an address without an account', async () => {
  for (const call of Object.values(calls)) await call(unknown)
  expect(await mailsTo(server, unknown)).toEqual([])
})

/** Whether timers run an operation, whatever is called: they look for batches, and read and take the number of the last change. */
function isOfTimers(collection: string, method: string): boolean {
  return collection === 'batches' || ['counters.find', 'counters.findOneAndUpdate'].includes(`${collection}.${method}`)
}

/** Returns the database operations of a call in order, with `answered` at the point where its response was sent. */
async function recordWork(call: () => Promise<unknown>): Promise<string[]> {
  const { connection } = server.services.database
  await server.services.mailer.idle()
  const done: string[] = []
  const note = () => void done.push('answered')
  connection.set('debug', (collection: string, method: string) => {
    if (!isOfTimers(collection, method)) done.push(`${collection}.${method}`)
  })
  subscribe('http.server.response.finish', note)
  try {
    await call()
    await server.services.mailer.idle()
  } finally {
    unsubscribe('http.server.response.finish', note)
    connection.set('debug', false)
  }
  return done
}

describe('response times reveal nothing', () => {
  const mailing = ['forgot password', 'resend verification'] as const
  const kinds = {
    'an unverified account': { isVerified: false },
    'a verified account': { isVerified: true },
    'a deactivated account': { isActive: false, isVerified: false },
    'an account without a password': { isVerified: true, hasPassword: false },
  }
  const cases = mailing.flatMap((name) => Object.entries(kinds).map(([kind, user]) => ({ name, kind, user })))

  test.each(cases)('$name: nothing of $kind is read or written before the response', async ({ name, user }) => {
    const { hasPassword, ...options } = { hasPassword: true, ...user }
    const { id, email } = await server.createUser(options)
    await server.services.users.update(id, { hasPassword })
    const known = await recordWork(() => calls[name](email))
    const nobody = await recordWork(() => calls[name](unknown))
    const beforeAnswer = (work: string[]) => work.slice(0, work.indexOf('answered'))
    expect(beforeAnswer(known)).toEqual(beforeAnswer(nobody))
    expect(beforeAnswer(known).length).toBeGreaterThan(0)
    expect(
      beforeAnswer(known).filter((work) => /^(users|password_resets|verifications|outbox_mails)/.test(work)),
    ).toEqual([])
    // Also after the response, except for storing the mail itself.
    expect(known.filter((work) => work !== 'outbox_mails.insertOne')).toEqual(nobody)
  })

  test.each([true, false])(
    'a sign-in does the same for any address, whether it has a password: %s',
    async (hasPassword) => {
      const { id, email } = await server.createUser()
      await server.services.users.update(id, { hasPassword })
      expect(await recordWork(() => calls['sign-in'](email))).toEqual(await recordWork(() => calls['sign-in'](unknown)))
    },
  )

  test('a guessed code is counted for any address that requested one', async () => {
    const { email } = await server.createUser()
    const guess = (address: string) => calls['verify reset code'](address)
    for (const address of [email, unknown]) await calls['forgot password'](address)
    for (let tries = 0; tries < 7; tries += 1) {
      const known = await recordWork(() => guess(email))
      const nobody = await recordWork(() => guess(unknown))
      // The mail of a voided code is removed after the response.
      expect(known.filter((work) => work !== 'outbox_mails.deleteOne')).toEqual(nobody)
      expect(known.slice(known.indexOf('answered'))).toEqual(
        expect.arrayContaining(nobody.slice(nobody.indexOf('answered'))),
      )
      expect(known.slice(0, known.indexOf('answered'))).not.toContain('outbox_mails.deleteOne')
    }
  })
})

test('a mail that waits for its random delay is sent when the server stops', async () => {
  const slow = await startTestServer({ maxMailDelayMs: 60 * 60_000 })
  try {
    const { email } = await slow.createUser()
    await slow.call(api.auth.forgotPassword, { body: { email } })
    await slow.services.mailer.close()
    expect(await mailsTo(slow, email)).toHaveLength(1)
  } finally {
    await slow.close()
  }
})
