import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { createOutboxRepository } from '#data/outbox/outbox-mails.ts'
import { mailsTo, newestMail } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
let superAdmin: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})

async function outboxOf(reader: SignedInUser) {
  await server.services.mailer.idle()
  return (await server.call(api.superAdmin.outbox, { token: reader.accessToken })).data.mails
}

test('lets a super admin read a mail, audited', async () => {
  const { email } = await server.createUser()
  await server.call(api.auth.forgotPassword, { body: { email } })
  const mail = (await outboxOf(superAdmin)).find(({ to }) => to === email)
  expect(mail?.purpose).toBe('password_reset')
  const params = { id: mail?.id ?? '' }
  const read = (await server.call(api.superAdmin.readMail, { params, token: superAdmin.accessToken })).data
  const { code, token } = await newestMail(server, email, 'Your password reset code')
  expect(read.text).toContain(code)
  expect(read.text).toContain(`/reset-password?token=${token}`)
  const query = { action: 'outbox.read', search: email }
  const { events } = (await server.call(api.admin.audit, { query, token: superAdmin.accessToken })).data
  expect(events).toMatchObject([{ actor: superAdmin.email, target: email, details: 'password_reset' }])
})

test("hides another super admin's mail and shows one's own", async () => {
  const other = await server.createSignedIn({ role: 'super_admin' })
  await server.call(api.auth.forgotPassword, { body: { email: other.email } })
  const [mail] = (await outboxOf(other)).filter(({ to }) => to === other.email)
  expect(mail).toBeDefined()
  expect((await outboxOf(superAdmin)).some(({ to }) => to === other.email)).toBe(false)
  const params = { id: mail?.id ?? '' }
  const answer = await server.call(api.superAdmin.readMail, { params, token: superAdmin.accessToken })
  expect(answer.error.code).toBe('not_found')
})

test('removes the message of a mail that another server removed, a day later', async () => {
  const { email } = await server.createUser()
  await server.call(api.auth.forgotPassword, { body: { email } })
  const mail = (await outboxOf(superAdmin)).find(({ to }) => to === email)
  await createOutboxRepository(server.services.database.connection).remove(mail?.id ?? '')
  const listMessages = async () =>
    (await readdir(join(server.config.dataDir, 'outbox'))).map((name) => name.slice(0, 24))
  await server.services.outbox.removeExpired()
  expect(await listMessages()).toContain(mail?.id)
  server.clock.advance(25 * 60 * 60_000)
  await server.services.outbox.removeExpired()
  expect(await listMessages()).not.toContain(mail?.id)
})

test('removes a mail when it expires', async () => {
  const { email } = await server.createUser({ isVerified: false })
  await server.call(api.auth.resendVerification, { body: { email } })
  expect(await mailsTo(server, email)).toHaveLength(1)
  server.clock.advance(24 * 60 * 60_000)
  await server.services.outbox.removeExpired()
  expect(await mailsTo(server, email)).toEqual([])
})

test('leaves no message of a mail that could not be stored', async () => {
  const folder = join(server.config.dataDir, 'outbox')
  await server.services.mailer.idle()
  const before = await readdir(folder).catch(() => [])
  const { id: userId, email: to } = await server.createUser()
  const mail = { to, userId, purpose: 'notice' as const, expiresAt: new Date(server.clock.now() + 60_000) }
  const withoutSubject = { ...mail, subject: '', text: 'text', html: '<p>html</p>' }
  await expect(server.services.outbox.store(withoutSubject)).rejects.toThrow('`subject` is required')
  expect(await readdir(folder)).toEqual(before)
})

test('sends mails to the mail server, if one is set, and keeps none', async () => {
  const received: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (part: Buffer) => {
        text += part.toString()
      })
      stream.on('end', () => {
        received.push(text)
        done()
      })
    },
  })
  const listener = smtp.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const mailing = await startTestServer({
    config: { smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'Awaz <awaz@here.example>' },
  })
  try {
    const { email } = await mailing.createUser()
    await mailing.call(api.auth.forgotPassword, { body: { email } })
    await mailing.services.mailer.idle()
    expect(received).toHaveLength(1)
    expect(received[0]).toMatch(/From: Awaz <awaz@here.example>/)
    expect(received[0]).toContain(`To: ${email}`)
    expect(await mailsTo(mailing, email)).toEqual([])
    expect((await mailing.call(api.system.config)).data.is_smtp_configured).toBe(true)
  } finally {
    await mailing.close()
    await new Promise<void>((resolve) => smtp.close(() => resolve()))
  }
})
