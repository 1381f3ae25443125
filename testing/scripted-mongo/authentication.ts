import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import type { Socket } from 'node:net'
import { Binary } from 'bson'
import type { Document } from '#server/embedded-db/bson/values.ts'
import { commandName } from './messages.ts'
import { errorReply } from './set-state.ts'

/** Who may use a scripted server: a user with a password (SCRAM-SHA-256, RFC 7677), or anyone with a client certificate that it trusts. */
export type RequiredCredentials = { user: string; password: string } | 'certificate'

const iterations = 4096
const unauthorized = 13
const authenticationFailed = 18
/** Commands that a real server answers without authentication. */
const openCommands = new Set(['hello', 'ismaster', 'isMaster', 'buildInfo', 'buildinfo', 'endSessions'])

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** Returns a guard for one connection, which replies to its commands in place of the database until it has authenticated. */
export function createAuthenticator(required: RequiredCredentials | undefined, socket: Socket) {
  let isAuthenticated = required === undefined
  let exchange: { clientFirst: string; serverFirst: string; salt: Buffer } | undefined

  const failed = (command: Document) => errorReply(command, authenticationFailed, 'Authentication failed.')

  function start(command: Document): Document {
    if (required === undefined || required === 'certificate') return failed(command)
    const clientFirst = textOf(command.payload).replace(/^n,,/, '')
    if (fieldOf(clientFirst, 'n') !== required.user) return failed(command)
    const salt = randomBytes(16)
    const nonce = fieldOf(clientFirst, 'r') + randomBytes(12).toString('base64')
    const serverFirst = `r=${nonce},s=${salt.toString('base64')},i=${iterations}`
    exchange = { clientFirst, serverFirst, salt }
    return reply(serverFirst, false)
  }

  function proceed(command: Document): Document {
    if (!exchange || typeof required !== 'object') return failed(command)
    const { clientFirst, serverFirst, salt } = exchange
    const clientFinal = textOf(command.payload)
    const salted = pbkdf2Sync(required.password, salt, iterations, 32, 'sha256')
    const clientKey = hmac(salted, 'Client Key')
    const signed = `${clientFirst},${serverFirst},${clientFinal.replace(/,p=.*$/, '')}`
    const signature = hmac(hash(clientKey), signed)
    const proof = Buffer.from(fieldOf(clientFinal, 'p'), 'base64')
    const expected = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)))
    if (proof.length !== expected.length || !timingSafeEqual(proof, expected)) return failed(command)
    isAuthenticated = true
    return reply(`v=${hmac(hmac(salted, 'Server Key'), signed).toString('base64')}`, true)
  }

  function byCertificate(command: Document): Document {
    isAuthenticated = required === 'certificate' && socket instanceof TLSSocket && socket.authorized
    return isAuthenticated ? { ok: 1 } : failed(command)
  }

  /** Returns the reply to an authentication command, or the refusal of another command; undefined if the command may be executed. */
  return function answer(command: Document): Document | undefined {
    const name = commandName(command)
    if (name === 'saslStart') return start(command)
    if (name === 'saslContinue') return proceed(command)
    if (name === 'authenticate') return byCertificate(command)
    if (isAuthenticated || openCommands.has(name)) return undefined
    return errorReply(command, unauthorized, `Command ${name} requires authentication`)
  }
}

function reply(payload: string, done: boolean): Document {
  return { conversationId: 1, done, payload: new Binary(Buffer.from(payload)), ok: 1 }
}

function textOf(payload: unknown): string {
  return payload instanceof Binary ? Buffer.from(payload.buffer).toString() : ''
}

/** Returns an attribute of a SCRAM message; empty if it is missing. */
function fieldOf(message: string, name: string): string {
  const found = message.split(',').find((field) => field.startsWith(`${name}=`))
  return found?.slice(2) ?? ''
}
