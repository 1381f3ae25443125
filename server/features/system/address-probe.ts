import { PassThrough } from 'node:stream'
import type { AddressProbe } from '#contract/endpoints/system.ts'
import type { Config } from '#data/config.ts'
import type { AppContext } from '#server/http/context.ts'

/** The first event is sent this long before the last: if both arrive together, something on the way held the first one back. */
export const probeGapMs = 1000

/** Responds with how this request arrived, as an event stream with the headers of GET /api/events. */
export function streamProbe(ctx: AppContext, { trustProxyHops }: Pick<Config, 'trustProxyHops'>): void {
  const forwarded = ctx.get('X-Forwarded-For').split(',')
  const probe: AddressProbe = {
    forwarded_addresses: forwarded.filter((address) => address.trim() !== '').length,
    trusted_hops: trustProxyHops,
  }
  const body = new PassThrough()
  body.write(`event: probe\ndata: ${JSON.stringify(probe)}\n\n`)
  const timer = setTimeout(() => body.end('event: end\ndata: {}\n\n'), probeGapMs)
  body.once('close', () => clearTimeout(timer))
  ctx.res.once('close', () => body.destroy())
  ctx.status = 200
  ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
  ctx.body = body
}
