import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { BerReader, Client, ExtendedRequest, ExtendedResponse, ProtocolOperation } from 'ldapts'
import type { LdapProviderInput } from '#contract/entities/sign-in-provider.ts'
import { DirectoryUnavailable } from './directory-error.ts'

export type DirectoryConnectionSettings = Pick<LdapProviderInput, 'url' | 'uses_starttls' | 'ca' | 'timeout_seconds'>

/** A client on an open connection. */
export interface OpenDirectory {
  client: Client
  /** What protects the connection, as shown to administrators. */
  protection: string
}

const startTlsOid = '1.3.6.1.4.1.1466.20037'
const maxStartTlsAnswerBytes = 65_536

/**
 * Runs work on a separate connection, which is closed whatever happens. Connecting, encrypting and each operation are subject to the
 * provider's time limit. Throws `DirectoryUnavailable` if no connection fit to carry a password can be made: either encrypted, to a
 * directory with a trusted certificate, or on this machine.
 */
export async function withDirectory<Result>(
  settings: DirectoryConnectionSettings,
  work: (directory: OpenDirectory) => Promise<Result>,
): Promise<Result> {
  const address = parseAddress(settings)
  const timeoutMs = settings.timeout_seconds * 1000
  const connection: Connection = {}
  const timer = setTimeout(() => connection.socket?.destroy(timeoutError(settings)), timeoutMs)
  try {
    const socket = await open(settings, address, connection)
    clearTimeout(timer)
    return await run(socket, timeoutMs, work)
  } finally {
    clearTimeout(timer)
    connection.socket?.destroy()
  }
}

/** The outermost socket so far; destroying it destroys the sockets below it. */
interface Connection {
  socket?: Socket
}

interface Address {
  host: string
  port: number
  isEncryptedAtOnce: boolean
}

function parseAddress({ url, uses_starttls: usesStartTls }: DirectoryConnectionSettings): Address {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isEncryptedAtOnce = protocol === 'ldaps:'
  if (!isEncryptedAtOnce && !usesStartTls && !isLoopback(host)) {
    throw new DirectoryUnavailable(
      `${url} would carry passwords in the clear. Please switch StartTLS on, or use an address that begins with ldaps://.`,
    )
  }
  return { host, port: Number(port) || (isEncryptedAtOnce ? 636 : 389), isEncryptedAtOnce }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

async function open(settings: DirectoryConnectionSettings, address: Address, connection: Connection): Promise<Socket> {
  const { host, port, isEncryptedAtOnce } = address
  const plain = connectTcp({ host, port })
  connection.socket = ignoreErrors(plain)
  await waitFor(plain, 'connect').catch((error: unknown) => {
    throw unavailable(error, `${settings.url} cannot be reached`, 'Please check address, port and firewall.')
  })
  if (!isEncryptedAtOnce && !settings.uses_starttls) return plain
  if (!isEncryptedAtOnce) await startTls(plain, settings)
  return encrypt(plain, settings, address, connection)
}

/** An error that no caller is waiting for must not end the process. */
function ignoreErrors(socket: Socket): Socket {
  return socket.on('error', () => undefined)
}

/** Waits for an event; throws if the connection fails or ends first. */
async function waitFor(socket: Socket, event: string): Promise<unknown> {
  const ended = new AbortController()
  const onClose = () => ended.abort(new Error('it closed the connection'))
  socket.once('end', onClose).once('close', onClose)
  try {
    const [value]: unknown[] = await once(socket, event, { signal: ended.signal })
    return value
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error
  } finally {
    socket.off('end', onClose).off('close', onClose)
  }
}

/**
 * Requests encryption (RFC 4511, section 4.14). ldapts could do so, but it keeps bytes that follow the response in the clear and reads them
 * as if they had been encrypted, so that somebody in between could answer for the directory. Such bytes are refused here.
 */
async function startTls(socket: Socket, { url }: DirectoryConnectionSettings): Promise<void> {
  const refused = (reason: string) =>
    new DirectoryUnavailable(
      `${url} refused StartTLS: ${reason}. Please set up a certificate in the directory, or use an address that begins with ldaps://.`,
    )
  socket.write(new ExtendedRequest({ messageId: 1, oid: startTlsOid }).write())
  const answer = await readMessage(socket).catch((error: unknown) => {
    throw unavailable(error, `${url} did not answer to StartTLS`, 'Please check that it is a directory.')
  })
  if (!answer) throw refused('its answer is not one of a directory')
  const { status, errorMessage } = answer
  if (status !== 0) throw refused(errorMessage || `result ${status}`)
}

/** Returns the response; undefined if something else arrived, or more than the response. */
async function readMessage(socket: Socket): Promise<ExtendedResponse | undefined> {
  let received = Buffer.alloc(0)
  while (received.length < maxStartTlsAnswerBytes) {
    const chunk = await waitFor(socket, 'data')
    if (!Buffer.isBuffer(chunk)) return undefined
    received = Buffer.concat([received, chunk])
    try {
      const reader = new BerReader(received)
      if (reader.readSequence(0x30) === null || reader.remain < reader.length) continue
      if (reader.remain > reader.length) return undefined
      const messageId = reader.readInt()
      if (messageId !== 1 || reader.readSequence() !== ProtocolOperation.LDAP_RES_EXTENSION) return undefined
      const response = new ExtendedResponse({ messageId })
      response.parse(reader, [])
      return response
    } catch {
      return undefined
    }
  }
  return undefined
}

async function encrypt(
  plain: Socket,
  { url, ca }: DirectoryConnectionSettings,
  { host }: Address,
  connection: Connection,
): Promise<TLSSocket> {
  const isNamed = isIP(host) === 0
  const socket = connectTls({
    socket: plain,
    host,
    ...(isNamed && { servername: host }),
    ...(ca.trim() !== '' && { ca: readCertificates(ca) }),
  })
  connection.socket = ignoreErrors(socket)
  await waitFor(socket, 'secureConnect').catch((error: unknown) => {
    if (isCertificateError(error))
      throw unavailable(
        error,
        `The certificate of ${url} is not trusted`,
        'Please enter the certificate of its authority, and an address that its certificate names.',
      )
    throw unavailable(error, `The connection to ${url} could not be encrypted`, 'Please check address and port.')
  })
  return socket
}

/**
 * Returns the text unchanged if it holds certificates. Node.js ignores anything else, and the directory's certificate would merely seem
 * untrusted.
 */
function readCertificates(pem: string): string {
  try {
    void new X509Certificate(pem)
    return pem
  } catch (error) {
    throw unavailable(error, 'The certificates of the authority cannot be read', 'Please enter them in PEM format.')
  }
}

async function run<Result>(
  socket: Socket,
  timeoutMs: number,
  work: (directory: OpenDirectory) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    url: 'ldap://directory',
    timeout: timeoutMs,
    // After the connection is lost, ldapts would reconnect, and without encryption.
    createConnection: () => {
      if (socket.destroyed) throw new Error('the connection was lost')
      return socket
    },
  })
  try {
    return await work({ client, protection: describeProtection(socket) })
  } finally {
    // The directory may be gone or hanging; the socket is destroyed in any case.
    await client.unbind().catch(() => undefined)
  }
}

function describeProtection(socket: Socket): string {
  if (!(socket instanceof TLSSocket)) return 'not encrypted, on this machine'
  return `encrypted with ${socket.getProtocol()}, its certificate is trusted`
}

function isCertificateError(error: unknown): boolean {
  const code = codeOf(error)
  return /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ALTNAME/.test(code)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function timeoutError({ url, timeout_seconds: seconds }: DirectoryConnectionSettings): DirectoryUnavailable {
  return new DirectoryUnavailable(
    `${url} did not answer within ${seconds} s. Please check that the directory runs and that no firewall is in between.`,
  )
}

/** Returns an error that includes the reason from its cause. */
function unavailable(error: unknown, what: string, whatToDo: string): DirectoryUnavailable {
  if (error instanceof DirectoryUnavailable) return error
  const reason = error instanceof Error ? reasonOf(error) : String(error)
  return new DirectoryUnavailable(`${what}: ${reason}. ${whatToDo}`, { cause: error })
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no computer has this name',
  EAI_AGAIN: 'the name server does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ECONNRESET: 'it closed the connection',
  ETIMEDOUT: 'it does not answer',
}

function reasonOf(error: Error): string {
  return reasons[codeOf(error)] ?? error.message.split('\n')[0]?.replace(/\.$/, '') ?? ''
}
