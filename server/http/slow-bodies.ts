import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorStatus, type ErrorBody } from '#contract/errors.ts'

export interface BodyLimits {
  /** The time limit for a complete body, from the end of the headers. */
  bodyTimeoutMs: number
  /** The minimum rate of an upload, averaged over `uploadStallMs`. */
  uploadMinBytesPerSecond: number
  /** How long an upload may be slower. */
  uploadStallMs: number
}

/** The time that the client has to receive the response before its connection is destroyed. */
const lingerMs = 2_000

/** For each request, a function that switches from the time limit for bodies to the minimum rate for uploads. */
const rateLimits = new WeakMap<IncomingMessage, () => void>()

/**
 * Ends a request whose body does not arrive in time: responds with 408 if no response has begun, and closes the connection. Also covers
 * bodies that no handler reads. Does not limit the response.
 */
export function limitSlowBody(request: IncomingMessage, response: ServerResponse, limits: BodyLimits): void {
  if (!hasBody(request)) return
  let timer: NodeJS.Timeout = setTimeout(endIfIncomplete, limits.bodyTimeoutMs)

  function endIfIncomplete() {
    if (request.complete) return
    clearInterval(timer)
    endRequest(request, response)
  }

  function enforceMinRate() {
    clearTimeout(timer)
    const { socket } = request
    const minBytes = (limits.uploadMinBytesPerSecond * limits.uploadStallMs) / 1000
    let before = socket.bytesRead
    timer = setInterval(() => {
      const received = socket.bytesRead - before
      before = socket.bytesRead
      // If bytes are waiting to be read, the delay is ours, for example because of a slow disk.
      if (received < minBytes && request.readableLength === 0) endIfIncomplete()
    }, limits.uploadStallMs)
  }

  rateLimits.set(request, enforceMinRate)
  request.once('close', () => {
    clearTimeout(timer)
    rateLimits.delete(request)
  })
}

/** Removes the time limit for the body of this request as long as it arrives at the minimum rate for uploads. */
export function allowLongBody(request: IncomingMessage): void {
  if (!request.complete) rateLimits.get(request)?.()
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function endRequest(request: IncomingMessage, response: ServerResponse) {
  if (response.headersSent) {
    request.destroy()
    return
  }
  const requestId = response.getHeader('X-Request-Id')
  const body: ErrorBody = {
    error: 'The request arrived too slowly. Please check your connection and try again.',
    code: 'request_timeout',
    ...(typeof requestId === 'string' && { request_id: requestId }),
  }
  response.writeHead(errorStatus[body.code], {
    'Content-Type': 'application/json; charset=utf-8',
    Connection: 'close',
  })
  // Destroying the request ends the stream of a handler that is reading the body.
  const cut = () => request.destroy()
  response.end(JSON.stringify(body), cut)
  setTimeout(cut, lingerMs).unref()
}
