import type { AppContext } from './context.ts'

/** Returns the code of the second factor that a call carries, or an empty text. */
export function readCodeHeader(ctx: Pick<AppContext, 'get'>): string {
  return ctx.get('X-TOTP-Token').trim()
}
