import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorStatus, type ErrorBody } from '#contract/errors.ts'

export interface BodyLimits {
  /** For a whole body, from the end of the headers. */
  bodyTimeoutMs: number
  /** What an upload must bring, on average over `uploadStallMs`. */
  uploadMinBytesPerSecond: number
  /** How long an upload may bring less. */
  uploadStallMs: number
}

/** How long the client has to take the refusal before its connection is cut. */
const lingerMs = 2_000

const pacing = new WeakMap<IncomingMessage, () => void>()

/**
 * Ends a request whose body does not arrive in time: 408 where nothing was answered yet, and the connection is closed. Covers bodies
 * that no handler reads, too. How long the answer takes afterwards is nobody's concern here.
 */
export function limitSlowBody(request: IncomingMessage, response: ServerResponse, limits: BodyLimits): void {
  if (!hasBody(request)) return
  let timer: NodeJS.Timeout = setTimeout(endIfIncomplete, limits.bodyTimeoutMs)

  function endIfIncomplete() {
    if (request.complete) return
    clearInterval(timer)
    endRequest(request, response)
  }

  function watchPace() {
    clearTimeout(timer)
    const { socket } = request
    const leastBytes = (limits.uploadMinBytesPerSecond * limits.uploadStallMs) / 1000
    let before = socket.bytesRead
    timer = setInterval(() => {
      const received = socket.bytesRead - before
      before = socket.bytesRead
      // Bytes that wait to be read are our own delay, such as a slow disk.
      if (received < leastBytes && request.readableLength === 0) endIfIncomplete()
    }, limits.uploadStallMs)
  }

  pacing.set(request, watchPace)
  request.once('close', () => {
    clearTimeout(timer)
    pacing.delete(request)
  })
}

/** Lets the body of this request take as long as it needs while it comes at the least rate of uploads. */
export function allowLongBody(request: IncomingMessage): void {
  if (!request.complete) pacing.get(request)?.()
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
  // Whoever reads the body learns by its end that nothing more comes.
  const cut = () => request.destroy()
  response.end(JSON.stringify(body), cut)
  setTimeout(cut, lingerMs).unref()
}
