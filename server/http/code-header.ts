import type { AppContext } from './context.ts'

/** Returns the second-factor code sent with a call, or an empty string. */
export function readCodeHeader(ctx: Pick<AppContext, 'get'>): string {
  return ctx.get('X-TOTP-Token').trim()
}
