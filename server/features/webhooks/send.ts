import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { RefusedTargetError, resolveTarget, type Resolve, type TargetRules } from './target.ts'

/** Maximum size of the response; its content does not matter. */
const maxResponseBytes = 64 * 1024

export interface Message {
  url: string
  headers: Record<string, string>
  body: string
}

/** The outcome of a message. */
export interface SendResult {
  /** Null if there was no response. */
  status: number | null
  durationMs: number
  /** Why it counts as failed; null if it was delivered. */
  error: string | null
}

interface SenderOptions {
  rules: TargetRules
  resolve: Resolve
  timeoutMs: number
}

export type Sender = (message: Message, shutdown: AbortSignal) => Promise<SendResult>

/**
 * Creates the function that sends messages: each on a separate connection to an address that was checked, without following redirects. It
 * throws only when `shutdown` aborts.
 */
export function createSender({ rules, resolve, timeoutMs }: SenderOptions): Sender {
  return async function send({ url, headers, body }, shutdown) {
    const startedAt = performance.now()
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([timeout, shutdown])
    const finish = (status: number | null, error: string | null): SendResult => ({
      status,
      durationMs: Math.round(performance.now() - startedAt),
      error,
    })
    try {
      const target = new URL(url)
      const address = await abortable(resolveTarget(target, rules, resolve), signal)
      const status = await post({ url: target, address, headers, body, signal })
      return finish(status, describeStatus(status))
    } catch (error) {
      shutdown.throwIfAborted()
      const seconds = Math.round(timeoutMs / 1000)
      return finish(null, timeout.aborted ? `No response came within ${seconds} seconds.` : describeFailure(error))
    }
  }
}

/** Rejects when the signal aborts, whatever happens to the promise: a lookup cannot be cancelled. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(new Error('aborted'))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

interface PostOptions extends Omit<Message, 'url'> {
  url: URL
  address: string
  signal: AbortSignal
}

/** Sends the message to exactly this address and resolves with the status of the response. */
function post({ url, address, headers, body, signal }: PostOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' },
    agent: false,
    lookup: pinTo(address),
    signal,
  })
  request.on('response', (response) => {
    resolve(response.statusCode ?? 0)
    drain(response)
  })
  request.on('error', reject)
  request.on('close', () => reject(new Error('The connection was closed without a response.')))
  request.end(body)
  return promise
}

function pinTo(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, options, callback) => {
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}

/** Lets a receiver finish its response, which is not read, as long as it is short. */
function drain(response: IncomingMessage): void {
  let received = 0
  response.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > maxResponseBytes) response.destroy()
  })
  response.on('error', () => undefined)
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The receiver answered ${status}. Redirects are not followed.`
  return `The receiver answered ${status}.`
}

function describeFailure(error: unknown): string {
  if (error instanceof RefusedTargetError) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return `The host name could not be resolved (${code}).`
  if (code === 'ECONNREFUSED') return 'The receiver refused the connection.'
  if (/CERT|SIGNATURE|ISSUER|TLS|SSL|EPROTO/.test(code)) return `No secure connection could be made (${code}).`
  if (code) return `The receiver could not be reached (${code}).`
  return error instanceof Error ? error.message : 'The receiver could not be reached.'
}
