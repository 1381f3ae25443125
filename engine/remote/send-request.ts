import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { hostOf, isPrivateAddress } from '#data/remote-servers.ts'
import { cancellationError } from '#engine/child/child-process.ts'
import { lookupPrivate, PublicAddressError } from './private-lookup.ts'
import { ServerFailure } from './server-failure.ts'

/** Credentials and transport rules for a server. */
export interface ServerAccess {
  key?: string
  /** Trusted certificate authorities as PEM; Node's default list otherwise. */
  ca?: string
  /** Whether plain http is allowed to public addresses. */
  isHttpAllowed: boolean
}

export interface ServerRequest {
  method: 'GET' | 'POST'
  url: string
  contentType?: string
  body?: Buffer
  access: ServerAccess
  /** Covers everything: name resolution, connection, request and response. */
  timeoutMs: number
  maxResponseBytes: number
  signal?: AbortSignal
}

export interface ServerResponse {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/**
 * Sends one request over a separate connection. Follows no redirects, uses no proxy, and connects only to the host of `url`.
 *
 * @throws ServerFailure if there is no complete response; AppError `job_cancelled` on abort, which closes the connection
 */
export async function sendRequest(request: ServerRequest): Promise<ServerResponse> {
  const { timeoutMs, signal } = request
  if (signal?.aborted) throw cancellationError(signal)
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    return await performRequest(request, signal ? AbortSignal.any([signal, deadline]) : deadline)
  } catch (error) {
    if (signal?.aborted) throw cancellationError(signal)
    if (error instanceof ServerFailure) throw error
    if (deadline.aborted) throw new ServerFailure('timeout', `no response within ${Math.round(timeoutMs / 1000)} s`)
    throw new ServerFailure('unreachable', describe(error), { cause: error })
  }
}

async function performRequest(
  { method, url, contentType, body, access, maxResponseBytes }: ServerRequest,
  signal: AbortSignal,
) {
  const isPlain = url.startsWith('http:')
  const mustBePrivate = isPlain && !access.isHttpAllowed
  if (mustBePrivate && isIP(hostOf(url)) !== 0 && !isPrivateAddress(hostOf(url))) {
    throw new PublicAddressError(`${hostOf(url)} is not a private address`)
  }
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const request = (isPlain ? http : https).request(url, {
    method,
    // A new connection per request: the server could close a kept-alive connection just as the next request is sent.
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
      body: await readBody(response, maxResponseBytes),
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
    if (bytes > maxBytes) throw new ServerFailure('faulty', `a response of more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  if (!response.complete) throw new ServerFailure('unreachable', 'the response was cut off')
  return Buffer.concat(chunks)
}

/** Returns a short message for a failed connection: Node's AggregateError for several addresses has no message. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join(', ')
  return error instanceof Error ? error.message : String(error)
}
