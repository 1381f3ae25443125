import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { RemoteServerSettings } from '#data/remote-servers.ts'
import { sendRequest } from './send-request.ts'
import type { ServerAccess, ServerResponse } from './send-request.ts'
import { ServerFailure } from './server-failure.ts'

export interface PostOptions {
  url: string
  contentType: string
  body: Buffer
  timeoutMs: number
  /** User content that no error message may repeat if a server quotes it. */
  content?: string
  signal?: AbortSignal
}

/** HTTP client for any endpoint of OpenAI-compatible servers. */
export interface ServerClient {
  /** Returns the response body; throws ServerFailure for any status but 200. */
  post(options: PostOptions): Promise<Buffer>
  /** Throws ServerFailure if no server responds at the address, or if the server rejects the key. */
  check(address: string): Promise<void>
}

const checkTimeoutMs = 5000
/** Words, tokens and timestamps of a 30 s window take about 50 kB, a translated line far less. */
const maxResponseBytes = 4 * 1024 * 1024
/** Statuses of a bad request, which would fail again; a request with another error status may succeed elsewhere or later. */
const refusedStatuses = new Set([400, 404, 405, 413, 415, 422])

/** Creates a client. Throws an error that names `caSetting` if the file of certificate authorities cannot be read. */
export function createServerClient(
  { key, caFile, isHttpAllowed }: RemoteServerSettings,
  { caSetting }: { caSetting: string },
): ServerClient {
  const ca = caFile === undefined ? undefined : readAuthorities(caFile, caSetting)
  const access: ServerAccess = { key, isHttpAllowed, ca }

  async function post({ content, ...options }: PostOptions): Promise<Buffer> {
    const response = await sendRequest({ ...options, method: 'POST', access, maxResponseBytes })
    if (response.status !== 200) throw toFailure(response, { key, content })
    return response.body
  }

  async function check(address: string): Promise<void> {
    const url = `${address}/v1/models`
    const response = await sendRequest({ method: 'GET', url, access, timeoutMs: checkTimeoutMs, maxResponseBytes })
    // Some servers have no list of models; a response shows that they are running.
    if (response.status !== 200 && !refusedStatuses.has(response.status)) throw toFailure(response, { key })
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

/** What is redacted from error messages. */
interface Redactions {
  key: string | undefined
  content?: string
}

function toFailure({ status, headers, body }: ServerResponse, redactions: Redactions): ServerFailure {
  if (status >= 300 && status < 400) return new ServerFailure('faulty', `HTTP ${status}; redirects are not followed`)
  if (status === 401 || status === 403) return new ServerFailure('faulty', `HTTP ${status}; the key is not accepted`)
  const reason = readReason(body, redactions)
  const message = `HTTP ${status}${reason && ` (${reason})`}`
  return new ServerFailure(refusedStatuses.has(status) ? 'refused' : 'faulty', message, {
    retryAfterMs: readRetryAfter(headers),
  })
}

const ErrorResponse = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z
    .object({ detail: z.object({ error: z.object({ message: z.string() }) }) })
    .transform((body) => body.detail.error.message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ message: z.string() }).transform(({ message }) => message),
])

/**
 * Returns the server's own error message, shortened and without the key; empty if it quotes the content. The rest of the response is not
 * reported anywhere.
 */
function readReason(body: Buffer, { key, content }: Redactions): string {
  try {
    const text = ErrorResponse.parse(JSON.parse(body.toString('utf8'))).replaceAll(/[\p{C}\s]+/gu, ' ')
    const reason = (key ? text.replaceAll(key, '***') : text).slice(0, 200).trim()
    return content !== undefined && quotes(reason, content) ? '' : reason
  } catch {
    return ''
  }
}

/** A message quotes the content if it repeats this many consecutive characters, or all of the content if that is shorter. */
const minQuoteLength = 12

function quotes(message: string, content: string): boolean {
  const folded = content.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  if (folded.length <= minQuoteLength) return folded.length > 3 && message.includes(folded)
  for (let at = 0; at + minQuoteLength <= message.length; at += 1) {
    if (folded.includes(message.slice(at, at + minQuoteLength))) return true
  }
  return false
}

/** Parses Retry-After, which is in seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfter({ 'retry-after': value }: IncomingHttpHeaders): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
