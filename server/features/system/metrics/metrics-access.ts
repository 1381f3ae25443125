import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError } from '#contract/app-error.ts'
import type { AppContext } from '#server/http/context.ts'
import { readBearer } from '#server/http/route.ts'

const loopback = /^(?:::ffff:)?127\.|^::1$/
/** Any of these headers shows that the request came through a proxy, which may itself run on this machine. */
const proxyHeaders = ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Forwarded', 'Via']

/** Throws `forbidden` unless the caller has the token or, if none is set, is a process on this machine. */
export function assertCanReadMetrics(ctx: AppContext, token: string | undefined): void {
  if (token !== undefined) {
    if (isSameText(readBearer(ctx) ?? '', token)) return
    throw new AppError('forbidden', 'Metrics need METRICS_TOKEN as bearer token.')
  }
  const isProxied = proxyHeaders.some((name) => ctx.get(name) !== '')
  if (!isProxied && loopback.test(ctx.req.socket.remoteAddress ?? '')) return
  throw new AppError(
    'forbidden',
    'Metrics can be read from this machine only. Set METRICS_TOKEN to read them from another.',
  )
}

function isSameText(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
