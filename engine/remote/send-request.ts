import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { hostOf, isPrivateAddress } from '#data/remote-servers.ts'
import { cancelled } from '#engine/child/child-process.ts'
import { lookupPrivate, PublicAddressError } from './private-lookup.ts'
import { ServerFailure } from './server-failure.ts'

/** How servers may be reached. */
export interface ServerAccess {
  key?: string
  /** Authorities that certificates are checked against, PEM; by default the known ones. */
  ca?: string
  /** Plain http also to public addresses. */
  isHttpAllowed: boolean
}

export interface ServerRequest {
  method: 'GET' | 'POST'
  url: string
  contentType?: string
  body?: Buffer
  access: ServerAccess
  /** For everything: name, connection, request and answer. */
  timeoutMs: number
  maxAnswerBytes: number
  signal?: AbortSignal
}

export interface ServerAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/**
 * Sends one request over a connection of its own. Follows no redirect, uses no proxy, and connects to nothing but the host of `url`.
 *
 * @throws ServerFailure where no whole answer came, AppError `job_cancelled` on abort, which closes the connection
 */
export async function sendRequest(request: ServerRequest): Promise<ServerAnswer> {
  const { timeoutMs, signal } = request
  if (signal?.aborted) throw cancelled(signal)
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    return await exchange(request, signal ? AbortSignal.any([signal, deadline]) : deadline)
  } catch (error) {
    if (signal?.aborted) throw cancelled(signal)
    if (error instanceof ServerFailure) throw error
    if (deadline.aborted) throw new ServerFailure('timeout', `no answer within ${Math.round(timeoutMs / 1000)} s`)
    throw new ServerFailure('unreachable', describe(error), { cause: error })
  }
}

async function exchange(
  { method, url, contentType, body, access, maxAnswerBytes }: ServerRequest,
  signal: AbortSignal,
) {
  const isPlain = url.startsWith('http:')
  const mustBePrivate = isPlain && !access.isHttpAllowed
  if (mustBePrivate && isIP(hostOf(url)) !== 0 && !isPrivateAddress(hostOf(url))) {
    throw new PublicAddressError(`${hostOf(url)} is no private address`)
  }
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const request = (isPlain ? http : https).request(url, {
    method,
    // A connection for each request: one that is kept could be closed by the server just when the next request is sent.
    agent: false,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(contentType && { 'content-type': contentType }),
      ...(body && { 'content-length': body.length }),
      ...(access.key && { authorization: `Bearer ${access.key}` }),
    },
    ...(mustBePrivate && { lookup: lookupPrivate }),
    ...(!isPlain && { ca: access.ca }),
    signal,
  })
  request.on('response', resolve)
  request.on('error', reject)
  request.end(body)
  try {
    const response = await promise
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await readBody(response, maxAnswerBytes),
    }
  } finally {
    request.destroy()
  }
}

async function readBody(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new ServerFailure('faulty', `an answer of more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  if (!response.complete) throw new ServerFailure('unreachable', 'the answer broke off')
  return Buffer.concat(chunks)
}

/** The cause of a failed connection in a few words: what Node says of several addresses at once has no message of its own. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join(', ')
  return error instanceof Error ? error.message : String(error)
}
