import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { SpeechServerSettings } from '#data/speech-servers.ts'
import { encodeWav } from './encode-wav.ts'
import { sendRequest } from './send-request.ts'
import type { ServerAccess, ServerAnswer } from './send-request.ts'
import { ServerFailure } from './server-failure.ts'

/** What is asked of a server about one window. */
export interface TranscriptionQuery {
  samples: Float32Array
  model: string
  /** ISO 639-1 code; without it the server tells the language. */
  language?: string
  prompt?: string
  /** Without it the server begins at 0 and repeats what failed at higher ones, if it can. */
  temperature?: number
}

export interface TranscriptionClient {
  /** Sends one window and returns the body of the answer; throws ServerFailure. */
  transcribe(address: string, query: TranscriptionQuery, options: { signal?: AbortSignal }): Promise<Buffer>
  /** Throws ServerFailure where no server answers at the address, or where it refuses the key. */
  check(address: string): Promise<void>
}

const checkTimeoutMs = 5000
const fullWindowMs = 30_000
/** Words, tokens and times of a window of 30 s take about 50 kB. */
const maxAnswerBytes = 4 * 1024 * 1024
/** Statuses that say that this very request is wrong; what a key, a time-out or a limit is about may be right elsewhere or later. */
const refusals = new Set([400, 404, 405, 413, 415, 422])

/** Reads the file of authorities once; throws a sentence where it cannot be read. */
export function createTranscriptionClient(settings: SpeechServerSettings): TranscriptionClient {
  const { key, caFile, isHttpAllowed, timeoutMs } = settings
  const access: ServerAccess = { key, isHttpAllowed, ca: caFile === undefined ? undefined : readAuthorities(caFile) }

  async function transcribe(
    address: string,
    query: TranscriptionQuery,
    { signal }: { signal?: AbortSignal },
  ): Promise<Buffer> {
    const form = new Response(toForm(query))
    const answer = await sendRequest({
      method: 'POST',
      url: `${address}/v1/audio/transcriptions`,
      contentType: form.headers.get('content-type') ?? undefined,
      body: Buffer.from(await form.arrayBuffer()),
      access,
      timeoutMs: timeoutFor(query.samples, timeoutMs),
      maxAnswerBytes,
      signal,
    })
    if (answer.status !== 200) throw toFailure(answer, key)
    return answer.body
  }

  async function check(address: string): Promise<void> {
    const url = `${address}/v1/models`
    const answer = await sendRequest({ method: 'GET', url, access, timeoutMs: checkTimeoutMs, maxAnswerBytes })
    // Some servers have no list of models; that one answers says enough.
    if (answer.status !== 200 && !refusals.has(answer.status)) throw toFailure(answer, key)
  }

  return { transcribe, check }
}

function readAuthorities(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`SPEECH_SERVER_CA cannot be read: ${cause instanceof Error ? cause.message : path}`, { cause })
  }
}

function toForm({ samples, model, language, prompt, temperature }: TranscriptionQuery): FormData {
  const form = new FormData()
  form.set('file', new Blob([encodeWav(samples)], { type: 'audio/wav' }), 'window.wav')
  form.set('model', model)
  form.set('response_format', 'verbose_json')
  form.append('timestamp_granularities[]', 'segment')
  form.append('timestamp_granularities[]', 'word')
  if (temperature !== undefined) form.set('temperature', String(temperature))
  if (language) form.set('language', language)
  if (prompt) form.set('prompt', prompt)
  return form
}

/** The whole time for a window of 30 s, less for a shorter one, but at least half: a server may be at work for another engine. */
function timeoutFor(samples: Float32Array, timeoutMs: number): number {
  const share = Math.min(1, samples.length / 16 / fullWindowMs)
  return Math.round((timeoutMs * (1 + share)) / 2)
}

function toFailure({ status, headers, body }: ServerAnswer, key: string | undefined): ServerFailure {
  if (status >= 300 && status < 400) return new ServerFailure('faulty', `HTTP ${status}; redirects are not followed`)
  if (status === 401 || status === 403) return new ServerFailure('faulty', `HTTP ${status}; the key is not accepted`)
  const reason = readReason(body, key)
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

/** What the server says of its own error, shortened and without the key. Whatever else it sent is not repeated anywhere. */
function readReason(body: Buffer, key: string | undefined): string {
  try {
    const text = ErrorAnswer.parse(JSON.parse(body.toString('utf8'))).replaceAll(/[\p{C}\s]+/gu, ' ')
    return (key ? text.replaceAll(key, '***') : text).slice(0, 200).trim()
  } catch {
    return ''
  }
}

/** Retry-After in seconds or as a date (RFC 9110, section 10.2.3). */
function readRetryAfter({ 'retry-after': value }: IncomingHttpHeaders): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
