import type { AppContext } from './context.ts'

/** Returns a signal that aborts when the caller closes the connection. */
export function disconnectSignal(ctx: Pick<AppContext, 'res'>): AbortSignal {
  const controller = new AbortController()
  ctx.res.once('close', () => controller.abort())
  if (ctx.res.destroyed) controller.abort()
  return controller.signal
}
