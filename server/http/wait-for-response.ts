import type { AppContext } from './context.ts'

/** Resolves when the response was sent or the client disconnected, for work that must not affect response times. */
export function waitForResponse({ res }: Pick<AppContext, 'res'>): Promise<void> {
  if (res.writableFinished || res.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    res.once('close', () => resolve())
  })
}
