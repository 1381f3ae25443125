import type { AppContext } from './context.ts'

/** The reason for aborting work because nobody is waiting for it any more. */
export class ClientDisconnectedError extends Error {
  override name = 'ClientDisconnectedError'

  constructor() {
    super('The client closed the connection')
  }
}

/** Returns a signal that aborts with a ClientDisconnectedError when the caller closes the connection. */
export function disconnectSignal(ctx: Pick<AppContext, 'res'>): AbortSignal {
  const controller = new AbortController()
  ctx.res.once('close', () => controller.abort(new ClientDisconnectedError()))
  if (ctx.res.destroyed) controller.abort(new ClientDisconnectedError())
  return controller.signal
}

/** Returns whether the client disconnected before a response was sent. */
export function hasDisconnected({ res }: Pick<AppContext, 'res'>): boolean {
  return res.destroyed && !res.headersSent
}
