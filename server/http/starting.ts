import type { IncomingMessage, ServerResponse } from 'node:http'

/** Responds to requests until the database was reached for the first time: alive, not ready. */
export function respondWhileStarting(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url?.split('?')[0]
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Cache-Control', 'no-store')
  if (path === '/healthz') {
    response.end(JSON.stringify({ status: 'ok' }))
    return
  }
  response.statusCode = 503
  response.setHeader('Retry-After', '5')
  const body =
    path === '/readyz'
      ? { status: 'not_ready', checks: { database: { ok: false, message: 'not connected' } } }
      : { error: 'The server is starting. Please try again in a few seconds.', code: 'unavailable' }
  response.end(JSON.stringify(body))
}
