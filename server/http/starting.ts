import type { IncomingMessage, ServerResponse } from 'node:http'

interface Progress {
  name: string
  unit: string
  done: number
  total: number
}

/** Creates what responds to requests until the server is built: alive, not ready. Says what it waits for, once `showMigration` was called. */
export function createStartingResponder() {
  let migration: Progress | undefined

  function respond(request: IncomingMessage, response: ServerResponse): void {
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
  }

  return { respond, showMigration }
}
