import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { newestMail } from '#testing/accounts.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '#testing/server.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function start(config: TestServerOptions['config'] = {}): Promise<TestServer> {
  const server = await startTestServer({ config: { mailFrom: 'Awaz <awaz@here.example>', ...config } })
  cleanUps.push(() => server.close())
  return server
}

/** Starts a mail server that counts its connections and rejects one address until it is told to accept it. */
async function startMailServer(rejected: string) {
  const state = { recipients: [] as string[], open: 0, mostOpen: 0, rejected, port: 0 }
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_session, done) {
      state.open += 1
      state.mostOpen = Math.max(state.mostOpen, state.open)
      done()
    },
    onClose: () => (state.open -= 1),
    onRcptTo: ({ address }, _session, done) =>
      done(address === state.rejected ? Object.assign(new Error('4.2.1 Try later'), { responseCode: 450 }) : null),
    onData(stream, { envelope }, done) {
      stream.resume()
      stream.on('end', () => {
        state.recipients.push(...envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  const listener = smtp.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  state.port = typeof address === 'object' && address ? address.port : 0
  cleanUps.push(() => new Promise<void>((resolve) => smtp.close(() => resolve())))
  return state
}

test('an import is delivered one mail after the other, and what the mail server rejects is tried again', async () => {
  const emails = Array.from({ length: 20 }, (_, n) => `person${n}@many.example`)
  const smtp = await startMailServer('person7@many.example')
  const server = await start({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` })
  const { accessToken: token } = await server.createSignedIn({ role: 'admin' })
  await server.call(api.invitations.import, { body: { csv: ['email', ...emails].join('\n') }, token })
  await server.services.mailer.idle()
  expect(smtp.recipients.toSorted()).toEqual(emails.filter((email) => email !== smtp.rejected).toSorted())
  // The next connection may open before the last one has quit.
  expect(smtp.mostOpen).toBeLessThanOrEqual(2)
  smtp.rejected = ''
  server.clock.advance(10_000)
  await server.services.mailer.sendDue()
  expect(smtp.recipients.toSorted()).toEqual(emails.toSorted())
})

test('an invitation whose mail was lost with its server is mailed by another after a minute', async () => {
  const server = await start()
  const { accessToken: token } = await server.createSignedIn({ role: 'admin' })
  const { mailer, invitations } = server.services
  const email = 'somebody@example.org'
  const lost = vi.spyOn(mailer, 'store').mockRejectedValue(new Error('the disk is full'))
  expect((await server.call(api.invitations.create, { body: { email }, token })).status).toBe(201)
  await mailer.idle()
  expect(lost).toHaveBeenCalledTimes(1)
  lost.mockRestore()
  await invitations.mailQueue.sendDue()
  await expect(newestMail(server, email, 'You are invited')).rejects.toThrow('no mail')
  server.clock.advance(60_000)
  await invitations.mailQueue.sendDue()
  const mail = await newestMail(server, email, 'You are invited')
  expect((await server.call(api.invitations.check, { body: { token: mail.token } })).status).toBe(200)
})
