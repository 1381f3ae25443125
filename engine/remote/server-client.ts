import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { RemoteServerSettings } from '#data/remote-servers.ts'
import { sendRequest } from './send-request.ts'
import type { ServerAccess, ServerAnswer } from './send-request.ts'
import { ServerFailure } from './server-failure.ts'

export interface PostOptions {
  url: string
  contentType: string
  body: Buffer
  timeoutMs: number
  /** What no message may repeat, should a server quote it. */
  content?: string
  signal?: AbortSignal
}

/** Requests as OpenAI's interface defines them, without what they are about. */
export interface ServerClient {
  /** Returns the body of the answer with status 200; throws ServerFailure where there is none. */
  post(options: PostOptions): Promise<Buffer>
  /** Throws ServerFailure where no server answers at the address, or where it refuses the key. */
  check(address: string): Promise<void>
}

const checkTimeoutMs = 5000
/** Words, tokens and times of a window of 30 s take about 50 kB, a translated line far less. */
const maxAnswerBytes = 4 * 1024 * 1024
/** Statuses that say that this very request is wrong; what a key, a time-out or a limit is about may be right elsewhere or later. */
const refusals = new Set([400, 404, 405, 413, 415, 422])

/** Reads the file of authorities once; throws a sentence where it cannot be read, which names `caSetting`. */
export function createServerClient(
  { key, caFile, isHttpAllowed }: RemoteServerSettings,
  { caSetting }: { caSetting: string },
): ServerClient {
  const ca = caFile === undefined ? undefined : readAuthorities(caFile, caSetting)
  const access: ServerAccess = { key, isHttpAllowed, ca }

  async function post({ content, ...options }: PostOptions): Promise<Buffer> {
    const answer = await sendRequest({ ...options, method: 'POST', access, maxAnswerBytes })
    if (answer.status !== 200) throw toFailure(answer, { key, content })
    return answer.body
  }

  async function check(address: string): Promise<void> {
    const url = `${address}/v1/models`
    const answer = await sendRequest({ method: 'GET', url, access, timeoutMs: checkTimeoutMs, maxAnswerBytes })
    // Some servers have no list of models; that one answers says enough.
    if (answer.status !== 200 && !refusals.has(answer.status)) throw toFailure(answer, { key })
  }

  return { post, check }
}

function readAuthorities(path: string, setting: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${setting} cannot be read: ${cause instanceof Error ? cause.message : path}`, { cause })
  }
}

/** What is left out of messages. */
interface Hidden {
  key: string | undefined
  content?: string
}

function toFailure({ status, headers, body }: ServerAnswer, hidden: Hidden): ServerFailure {
  if (status >= 300 && status < 400) return new ServerFailure('faulty', `HTTP ${status}; redirects are not followed`)
  if (status === 401 || status === 403) return new ServerFailure('faulty', `HTTP ${status}; the key is not accepted`)
  const reason = readReason(body, hidden)
  const message = `HTTP ${status}${reason && ` (${reason})`}`
  return new ServerFailure(refusals.has(status) ? 'refused' : 'faulty', message, {
    retryAfterMs: readRetryAfter(headers),
  })
}

const ErrorAnswer = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z
    .object({ detail: z.object({ error: z.object({ message: z.string() }) }) })
    .transform((body) => body.detail.error.message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ message: z.string() }).transform(({ message }) => message),
])

/**
 * What the server says of its own error, shortened and without the key; nothing where it quotes the content. Whatever else it sent is not
 * repeated anywhere.
 */
function readReason(body: Buffer, { key, content }: Hidden): string {
  try {
    const text = ErrorAnswer.parse(JSON.parse(body.toString('utf8'))).replaceAll(/[\p{C}\s]+/gu, ' ')
    const reason = (key ? text.replaceAll(key, '***') : text).slice(0, 200).trim()
    return content !== undefined && quotes(reason, content) ? '' : reason
  } catch {
    return ''
  }
}

/** Whether a message repeats this many characters in a row, or all of a shorter content. */
const quotedCharacters = 12

function quotes(message: string, content: string): boolean {
  const folded = content.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  if (folded.length <= quotedCharacters) return folded.length > 3 && message.includes(folded)
  for (let at = 0; at + quotedCharacters <= message.length; at += 1) {
    if (folded.includes(message.slice(at, at + quotedCharacters))) return true
  }
  return false
}

/** Retry-After in seconds or as a date (RFC 9110, section 10.2.3). */
function readRetryAfter({ 'retry-after': value }: IncomingHttpHeaders): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
