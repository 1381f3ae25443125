import { once } from 'node:events'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { buildServices } from '#server/services.ts'
import { createCertificate } from '#testing/certificate.ts'
import { message } from '#testing/messages.ts'
import { lacks } from '#testing/needs.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '#testing/server.ts'
import { verificationMail } from './templates/account-mails.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const minuteMs = 60_000
const refusal = Object.assign(new Error('5.7.1 Relaying denied'), { responseCode: 550 })

/** Starts a mail server that stores what it receives and rejects every recipient while `isRejecting` is true. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const state = { received: [] as string[], isRejecting: false, port: 0 }
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => done(state.isRejecting ? refusal : undefined),
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (part: Buffer) => (text += part.toString()))
      stream.on('end', () => {
        state.received.push(text)
        done()
      })
    },
    ...options,
  })
  smtp.on('error', () => undefined) // clients that do not trust the certificate disconnect
  const listener = smtp.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  state.port = typeof address === 'object' && address ? address.port : 0
  cleanUps.push(() => new Promise<void>((resolve) => smtp.close(() => resolve())))
  return state
}

async function start(config: TestServerOptions['config']): Promise<TestServer> {
  const server = await startTestServer({ config: { mailFrom: 'Awaz <awaz@here.example>', ...config } })
  cleanUps.push(() => server.close())
  return server
}

async function requestCode(server: TestServer): Promise<string> {
  const { email } = await server.createUser()
  await server.call(api.auth.forgotPassword, { body: { email } })
  await server.services.mailer.idle()
  return email
}

async function readOutbox(server: TestServer) {
  const { accessToken: token } = await server.createSignedIn({ role: 'super_admin' })
  return { token, mails: (await server.call(api.superAdmin.outbox, { token })).data.mails }
}

test('keeps a rejected mail with recipient, attempts and reason, and sends it once the server accepts it', async () => {
  const smtp = await startMailServer()
  const server = await start({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` })
  smtp.isRejecting = true
  const email = await requestCode(server)
  const { mails, token } = await readOutbox(server)
  expect(mails).toMatchObject([{ to: email, attempts: 1, next_try_at: expect.any(String) }])
  expect(mails[0]?.last_error).toContain('Relaying denied')
  const { events } = (await server.call(api.admin.audit, { query: { action: 'mail.failed' }, token })).data
  expect(events).toMatchObject([{ target: email, outcome: 'failure' }])
  const ready = await fetch(`${server.url}/readyz`)
  expect(api.system.ready.response.parse(await ready.json()).checks.mail?.message).toContain('tried again: 1')

  await server.services.mailer.sendDue()
  expect((await readOutbox(server)).mails[0]?.attempts).toBe(1)
  server.clock.advance(10_000)
  await server.services.mailer.sendDue()
  const [again] = (await readOutbox(server)).mails
  expect(again?.attempts).toBe(2)
  expect(Date.parse(again?.next_try_at ?? '') - server.clock.now()).toBeGreaterThan(minuteMs / 2)

  smtp.isRejecting = false
  server.clock.advance(minuteMs)
  await server.services.mailer.sendDue()
  expect(smtp.received).toHaveLength(1)
  expect(smtp.received[0]).toMatch(/Subject: Your password reset code/)
  expect((await readOutbox(server)).mails).toEqual([])
})

test('sends a mail after the restart of a server that could not send it', async () => {
  const first = await startMailServer()
  const server = await start({ smtpUrl: `smtp://127.0.0.1:${first.port}` })
  first.isRejecting = true
  await requestCode(server)
  await server.services.mailer.close()

  const second = await startMailServer()
  const { config, clock } = server
  const { database } = server.services
  const restarted = await buildServices({
    config: { ...config, smtpUrl: `smtp://127.0.0.1:${second.port}` },
    database,
    clock,
    log: pino({ level: 'silent' }),
  })
  cleanUps.push(() => restarted.close())
  clock.advance(minuteMs)
  await restarted.mailer.sendDue()
  expect(second.received).toHaveLength(1)
})

test('sends a mail whose server died during the delivery from one other server alone', async () => {
  const smtp = await startMailServer()
  const server = await start({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` })
  const { id, email } = await server.createUser()
  const { outbox, mailer } = server.services
  const expiresAt = new Date(server.clock.now() + 60 * minuteMs)
  await outbox.storeForDelivery({
    to: email,
    userId: id,
    purpose: 'notice',
    expiresAt,
    subject: 'Your password was changed',
    text: 'text',
    html: '<p>html</p>',
  })
  await mailer.sendDue()
  expect(smtp.received).toEqual([])
  server.clock.advance(2 * minuteMs)
  await Promise.all([mailer.sendDue(), mailer.sendDue(), mailer.sendDue()])
  expect(smtp.received).toHaveLength(1)
})

test('sends the same 7-bit message at every attempt', async () => {
  const received: string[] = []
  const smtp = await startMailServer({
    hide8BITMIME: true,
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (part: Buffer) => (text += part.toString()))
      stream.on('end', () => {
        received.push(text)
        done(received.length === 1 ? refusal : undefined)
      })
    },
  })
  const server = await start({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` })
  const { id, email } = await server.createUser()
  const { outbox, mailer } = server.services
  const expiresAt = new Date(server.clock.now() + 60 * minuteMs)
  const rendered = verificationMail(
    { firstName: 'نجيب الله', username: 'najib' },
    { publicUrl: server.url, token: 'abc' },
  ).render()
  await mailer.sendNow(
    await outbox.storeForDelivery({ ...rendered, to: email, userId: id, purpose: 'verification', expiresAt }),
  )
  server.clock.advance(minuteMs)
  await mailer.sendDue()
  expect(received).toHaveLength(2)
  expect(received[1]).toBe(received[0])
  expect(received[0]).toMatch(/^Message-ID: <.+>\r$/m)
  expect(received[0]).not.toMatch(/[^\x20-\x7e\r\n]/)
})

test('removes the mail of a code that was used', async () => {
  const smtp = await startMailServer()
  const server = await start({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` })
  smtp.isRejecting = true
  const email = await requestCode(server)
  const user = await server.services.users.findByEmail(email)
  await server.services.outbox.removeFor(user?.id ?? '', 'password_reset')
  smtp.isRejecting = false
  server.clock.advance(minuteMs)
  await server.services.mailer.sendDue()
  expect(smtp.received).toEqual([])
})

test('leaves a mail whose message is on another server to that server', async () => {
  const smtp = await startMailServer()
  const server = await start({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` })
  smtp.isRejecting = true
  const email = await requestCode(server)
  smtp.isRejecting = false
  const [here, elsewhere] = ['outbox', 'elsewhere'].map((name) => join(server.config.dataDir, name))
  await rename(here ?? '', elsewhere ?? '')
  server.clock.advance(minuteMs)
  await server.services.mailer.sendDue()
  expect((await readOutbox(server)).mails).toMatchObject([{ to: email, attempts: 1 }])
  await rename(elsewhere ?? '', here ?? '')
  server.clock.advance(minuteMs)
  await server.services.mailer.sendDue()
  expect(smtp.received).toHaveLength(1)
})

test('lets a super admin send a waiting mail now', async () => {
  const smtp = await startMailServer()
  const server = await start({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` })
  smtp.isRejecting = true
  await requestCode(server)
  const { mails, token } = await readOutbox(server)
  const params = { id: mails[0]?.id ?? '' }
  const failed = await server.call(api.superAdmin.sendMail, { params, token })
  expect([failed.status, failed.error.code]).toEqual([502, 'mail_failed'])
  expect(failed.error.details?.join()).toContain('Relaying denied')
  smtp.isRejecting = false
  expect((await server.call(api.superAdmin.sendMail, { params, token })).status).toBe(200)
  expect(smtp.received).toHaveLength(1)
  expect((await server.call(api.superAdmin.sendMail, { params, token })).error.code).toBe('not_found')
})

test('lets a super admin send a test mail, and says why it failed', async () => {
  const smtp = await startMailServer()
  const server = await start({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` })
  const { accessToken: token, email } = await server.createSignedIn({ role: 'super_admin' })
  expect((await server.call(api.superAdmin.testMail, { token })).data.message).toBe(`Test mail sent to ${email}`)
  expect(smtp.received[0]).toContain(`To: ${email}`)
  smtp.isRejecting = true
  const failed = await server.call(api.superAdmin.testMail, { body: { to: 'it@example.org' }, token })
  expect(failed.error).toMatchObject({ code: 'mail_failed', error: message('mail-failed') })
  const { events } = (await server.call(api.admin.audit, { query: { action: 'mail.test' }, token })).data
  expect(events.map(({ outcome, target }) => [outcome, target])).toEqual([
    ['failure', 'it@example.org'],
    ['success', email],
  ])
})

test('sends nothing without a mail server', async () => {
  const server = await start({})
  await requestCode(server)
  const { mails, token } = await readOutbox(server)
  expect(mails).toMatchObject([{ attempts: 0, last_error: null, next_try_at: null }])
  const params = { id: mails[0]?.id ?? '' }
  expect((await server.call(api.superAdmin.sendMail, { params, token })).error.code).toBe('conflict')
  expect((await server.call(api.superAdmin.testMail, { token })).error.error).toBe(message('mail-server-missing'))
})

test.skipIf(lacks('openssl'))(
  'logs in over STARTTLS where the certificate authority is configured, and trusts no other',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'awaz-cert-'))
    cleanUps.push(() => rm(folder, { recursive: true, force: true }))
    const { key, certificate } = await createCertificate(folder, 'DNS:localhost,IP:127.0.0.1')
    const smtp = await startMailServer({
      key,
      cert: certificate,
      authOptional: false,
      disabledCommands: [],
      onAuth: ({ username, password }, _session, done) =>
        username === 'awaz@here.example' && password === 'p@ss/word'
          ? done(null, { user: username })
          : done(new Error('Wrong credentials')),
    })
    const at = `127.0.0.1:${smtp.port}?requireTLS=true`
    const attempt = async (smtpUrl: string, smtpCa?: string) => {
      const server = await start({ smtpUrl, smtpCa })
      const { accessToken: token } = await server.createSignedIn({ role: 'super_admin' })
      const answer = await server.call(api.superAdmin.testMail, { token })
      const { mail } = (await server.call(api.system.status, { token })).data
      return { status: answer.status, answer, mail }
    }
    const login = 'awaz%40here.example:p%40ss%2Fword'
    const accepted = await attempt(`smtp://${login}@${at}`, certificate)
    expect(accepted).toMatchObject({ status: 200, mail: { ok: true, message: 'the mail server answers' } })
    expect(smtp.received).toHaveLength(1)
    const untrusted = await attempt(`smtp://${login}@${at}`)
    expect(untrusted.answer.error.details?.join()).toMatch(/self-signed certificate/)
    expect(untrusted.mail).toEqual({
      ok: false,
      message: 'the certificate of the mail server is not trusted; its authority belongs in SMTP_CA',
    })
    const refused = await attempt(`smtp://awaz:wrong@${at}`, certificate)
    expect(refused.answer.error.details?.join()).toMatch(/credentials/i)
    expect(refused.mail).toEqual({
      ok: false,
      message: 'the mail server refuses the user name or password of SMTP_URL',
    })
  },
)
