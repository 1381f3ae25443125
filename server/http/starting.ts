import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

interface Progress {
  name: string
  unit: string
  done: number
  total: number
}

/** How long a request waits for the server, which takes seconds to start. A proxy may send requests to a server as soon as it listens. */
const defaultWaitMs = 10_000
const maxWaiting = 1_000

/**
 * Creates the responder for requests until the server is built, which reports it as alive but not ready. Other requests wait for the
 * server, at most 10 s; none waits while data is being migrated, after a call of `showMigration`.
 */
export function createStartingResponder({ waitMs = defaultWaitMs } = {}) {
  const waiting = new Set<(handler?: RequestListener) => void>()
  let migration: Progress | undefined

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split('?')[0]
    if (path === '/healthz' || path === '/readyz' || migration || waiting.size >= maxWaiting) refuse(request, response)
    else waitForHandler(request, response)
  }

  function waitForHandler(request: IncomingMessage, response: ServerResponse): void {
    const timer = setTimeout(() => settle(), waitMs)
    waiting.add(settle)
    response.once('close', leave)
    function leave() {
      clearTimeout(timer)
      waiting.delete(settle)
    }
    function settle(handler: RequestListener = refuse) {
      leave()
      response.off('close', leave)
      handler(request, response)
    }
  }

  /** Passes the waiting requests on to the server. */
  function handOver(handler: RequestListener): void {
    for (const settle of waiting) settle(handler)
  }

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split('?')[0]
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.setHeader('Cache-Control', 'no-store')
    if (path === '/healthz') {
      response.end(JSON.stringify({ status: 'ok' }))
      return
    }
    response.statusCode = 503
    response.setHeader('Retry-After', '5')
    const body = path === '/readyz' ? readiness() : { error: sentence(), code: 'unavailable' }
    response.end(JSON.stringify(body))
  }

  function readiness(): object {
    if (!migration) return { status: 'not_ready', checks: { database: { ok: false, message: 'not connected' } } }
    const { name, unit, done, total } = migration
    const message = `migrating: ${name}${total > 0 ? `, ${done} of ${total} ${unit}` : ''}`
    return { status: 'migrating', checks: { migrations: { ok: false, message } } }
  }

  function sentence(): string {
    return migration
      ? 'The data is being upgraded. Please try again in a few minutes.'
      : 'The server is starting. Please try again in a few seconds.'
  }

  function showMigration(progress: Progress): void {
    migration = progress
    handOver(refuse)
  }

  return { respond, handOver, showMigration }
}
