import { randomUUID } from 'node:crypto'
import type { Context, Next } from 'koa'
import type { Logger } from 'pino'
import { languageCookie, parseInterfaceLanguage } from '#contract/texts/interface-languages.ts'
import type { Guards, RequestState } from './context.ts'
import { hasDisconnected } from './disconnect-signal.ts'
import type { RequestMetrics } from './request-metrics.ts'

const requestIdPattern = /^[\w-]{8,64}$/
const maxAddressLength = 45
/** Logged, as by nginx, for a client that disconnected before a response: no status was sent. */
const clientClosedRequest = 499
const quietPaths = new Set(['/healthz', '/readyz', '/metrics'])

interface BeginOptions {
  log: Logger
  guards: Guards
  metrics: Pick<RequestMetrics, 'recordRequest' | 'recordStream'>
  trustProxyHops: number
}

/**
 * Sets the id, the log and the origin of each request, counts it, and logs one line at its end: method, path template, status, time, user
 * id. Never logs the URL itself, whose query may contain tokens or names.
 */
export function beginRequest({ log, guards, metrics, trustProxyHops }: BeginOptions) {
  let hasWarned = false
  return async function begin(ctx: Context & { state: RequestState }, next: Next) {
    const received = ctx.get('X-Request-Id')
    const requestId = requestIdPattern.test(received) ? received : randomUUID()
    ctx.set('X-Request-Id', requestId)
    ctx.state.guards = guards
    ctx.state.log = log.child({ requestId })
    const language = parseInterfaceLanguage(ctx.cookies.get(languageCookie))
    ctx.state.origin = {
      ip: ctx.ip.replace(/^::ffff:/, '').slice(0, maxAddressLength),
      userAgent: ctx.get('User-Agent').slice(0, 256),
      requestId,
      ...(language && { language }),
    }
    if (trustProxyHops === 0 && !hasWarned && ctx.get('X-Forwarded-For')) {
      hasWarned = true
      log.warn('X-Forwarded-For arrives but TRUST_PROXY_HOPS is 0: all users share the address of the proxy')
    }
    const startedAt = performance.now()
    await next()
    if (quietPaths.has(ctx.path)) return
    const ms = performance.now() - startedAt
    const answered = {
      method: ctx.method,
      endpoint: ctx.state.endpoint ?? (ctx.path.startsWith('/api/') ? 'unknown' : 'static'),
      status: hasDisconnected(ctx) ? clientClosedRequest : ctx.status,
    }
    metrics.recordRequest({ ...answered, seconds: ms / 1000 })
    if (ctx.response.is('text/event-stream')) metrics.recordStream(ctx.res)
    ctx.state.log.info({ ...answered, ms: Math.round(ms), userId: ctx.state.principal?.user.id }, 'request')
  }
}
