import { createServer as createHttpServer, request, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { createCertificate } from '#testing/certificate.ts'
import { findFreePort } from '#testing/free-port.ts'
import { changeDocument, addDocument, type Fault, type PlantedFault } from '../fault.ts'
import type { DoctorInstance } from '../instance.ts'

type TestListener = ReturnType<typeof createHttpServer | typeof createHttpsServer>

/** Listens as PUBLIC_URL until the fault is undone. */
async function servePublicly(server: TestListener): Promise<PlantedFault> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // of a TCP server that listens
  const protocol = 'setSecureContext' in server ? 'https' : 'http'
  return {
    config: { publicUrl: `${protocol}://127.0.0.1:${port}` },
    async undo() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface ProxyOptions {
  isBuffering?: boolean
  headers?: Record<string, string>
}

/** Returns the listener of a proxy in front of an instance. */
function proxyOf({ server }: DoctorInstance, { isBuffering = false, headers = {} }: ProxyOptions): RequestListener {
  return (incoming, outgoing) => {
    const target = new URL(incoming.url ?? '', server.url)
    const sent = request(target, { method: incoming.method, headers }, async (response) => {
      if (!isBuffering) {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
        return
      }
      const body = await buffer(response)
      outgoing.writeHead(response.statusCode ?? 502).end(body)
    })
    sent.once('error', () => outgoing.destroy())
    sent.end()
  }
}

/** Returns a key and its self-signed certificate, which is valid for two days. */
async function makeCertificate(): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-doctor-tls-'))
  const { key, certificate: cert } = await createCertificate(folder, 'IP:127.0.0.1')
  await rm(folder, { recursive: true })
  return { key, cert }
}

async function serveEncrypted(instance: DoctorInstance, now?: Date): Promise<PlantedFault> {
  const planted = await servePublicly(createHttpsServer(await makeCertificate(), proxyOf(instance, {})))
  return { ...planted, ...(now && { now: () => now }) }
}

/** Starts a mail server and configures it. */
async function setMailServer(options: SMTPServerOptions, login = ''): Promise<PlantedFault> {
  const smtp = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], ...options })
  // A client that does not trust the certificate closes the connection.
  smtp.on('error', () => undefined)
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()))
  const { port } = smtp.server.address() as AddressInfo // of a TCP server that listens
  return {
    config: { smtpUrl: `smtp://${login}127.0.0.1:${port}` },
    undo: () => new Promise((resolve) => smtp.close(() => resolve(undefined))),
  }
}

export const serviceFaults: Fault[] = [
  {
    code: 'server.silent',
    name: 'a server that does not listen',
    plant: async () => ({ config: { port: await findFreePort() } }),
  },
  {
    code: 'server.not_ready',
    name: 'a server that cannot store uploads',
    async plant({ dataDir }) {
      const folder = join(dataDir, 'audio', 'parts')
      await rename(folder, `${folder}.away`)
      await writeFile(folder, '')
      return { undo: () => rm(folder).then(() => rename(`${folder}.away`, folder)) }
    },
  },
  {
    code: 'mail.silent',
    name: 'a mail server that is down',
    plant: async () => ({ config: { smtpUrl: `smtp://127.0.0.1:${await findFreePort()}` } }),
  },
  {
    code: 'mail.refuses_login',
    name: 'a wrong password of the mail server',
    plant: () =>
      setMailServer(
        { authOptional: false, allowInsecureAuth: true, onAuth: (_auth, _session, done) => done(new Error('Wrong')) },
        'awaz:wrong@',
      ),
  },
  {
    code: 'mail.untrusted',
    name: 'a mail server whose certificate nobody signed',
    needs: ['openssl'],
    plant: async () => {
      const planted = await setMailServer({ secure: true, ...(await makeCertificate()) })
      return { ...planted, config: { smtpUrl: planted.config?.smtpUrl?.replace('smtp:', 'smtps:') } }
    },
  },
  {
    code: 'mail.failing',
    name: 'a mail that was refused',
    async plant(instance) {
      const mailServer = await setMailServer({})
      const now = new Date()
      const { undo } = await addDocument(instance, 'outbox_mails', {
        userId: instance.ownerId,
        to: 'a@example.org',
        subject: 'subject',
        purpose: 'test',
        attempts: 3,
        lastError: '550',
        nextTryAt: new Date(now.getTime() + 3_600_000),
        createdAt: now,
        expiresAt: new Date('2100-01-01'),
      })
      return { ...mailServer, undo: () => Promise.all([undo?.(), mailServer.undo?.()]) }
    },
  },
  {
    code: 'sign_in.provider',
    name: 'a directory that is down',
    async plant({ addDirectory }) {
      return { undo: await addDirectory(`ldaps://127.0.0.1:${await findFreePort()}`) }
    },
  },
  {
    code: 'sign_in.provider',
    name: 'an OpenID provider that is down',
    plant: async (instance) =>
      changeDocument(instance, 'sign_in_providers', {
        filter: { 'settings.kind': 'oidc' },
        set: { 'settings.issuer': `http://127.0.0.1:${await findFreePort()}` },
      }),
  },
  {
    code: 'address.unreachable',
    name: 'a public address where nothing listens',
    plant: async () => ({ config: { publicUrl: `http://127.0.0.1:${await findFreePort()}` } }),
  },
  {
    code: 'address.other_server',
    name: 'a public address of another server',
    plant: () => servePublicly(createHttpServer((_incoming, outgoing) => outgoing.end('<h1>It works!</h1>'))),
  },
  {
    code: 'address.buffered',
    name: 'a proxy that buffers',
    plant: (instance) => servePublicly(createHttpServer(proxyOf(instance, { isBuffering: true }))),
  },
  {
    code: 'address.hops',
    name: 'a proxy that is not counted',
    plant: (instance) =>
      servePublicly(createHttpServer(proxyOf(instance, { headers: { 'X-Forwarded-For': '203.0.113.9' } }))),
  },
  {
    code: 'certificate.expired',
    name: 'a certificate that ended yesterday',
    needs: ['openssl'],
    plant: (instance) => serveEncrypted(instance, new Date(Date.now() + 3 * 24 * 3_600_000)),
  },
  {
    code: 'certificate.ends_soon',
    also: ['certificate.untrusted'],
    name: 'a certificate that ends tomorrow',
    needs: ['openssl'],
    plant: (instance) => serveEncrypted(instance),
  },
  {
    code: 'certificate.ends_soon',
    also: ['certificate.untrusted'],
    name: 'a certificate that ends in twelve days',
    needs: ['openssl'],
    plant: (instance) => serveEncrypted(instance, new Date(Date.now() - 10 * 24 * 3_600_000)),
  },
  {
    code: 'certificate.untrusted',
    name: 'a certificate that nobody signed',
    needs: ['openssl'],
    plant: (instance) => serveEncrypted(instance, new Date(Date.now() - 60 * 24 * 3_600_000)),
  },
]
