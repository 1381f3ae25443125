import type { AppContext } from './context.ts'

/** Resolves when the answer has left or the client has gone: for work that must not show in how long an answer takes. */
export function untilAnswered({ res }: Pick<AppContext, 'res'>): Promise<void> {
  if (res.writableFinished || res.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    res.once('close', () => resolve())
  })
}
