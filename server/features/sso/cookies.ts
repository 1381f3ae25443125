import type { AppContext } from '#server/http/context.ts'
import { hashToken } from '#server/security/opaque-tokens.ts'
import { ticketLifetimeMs } from './tickets.ts'

/**
 * Cookies that bind attempts and tickets to a browser, one for each, so that several tabs can sign in at once. SameSite=Lax, because the
 * provider sends the browser back from another site.
 */
export function createSsoCookies({ publicUrl }: { publicUrl: string }) {
  const secure = publicUrl.startsWith('https://') ? '; Secure' : ''

  function set(ctx: AppContext, token: string, value: string, maxAgeMs: number): void {
    const attributes = `Path=/api/auth/sso; HttpOnly; SameSite=Lax; Max-Age=${maxAgeMs / 1000}${secure}`
    ctx.append('Set-Cookie', `${nameOf(token)}=${value}; ${attributes}`)
  }

  return {
    setBinding: (ctx: AppContext, { token, binding }: { token: string; binding: string }) =>
      set(ctx, token, binding, ticketLifetimeMs),
    readBinding: (ctx: AppContext, token: string) => ctx.cookies.get(nameOf(token)),
    clearBinding: (ctx: AppContext, token: string) => set(ctx, token, '', 0),
  }
}

export type SsoCookies = ReturnType<typeof createSsoCookies>

function nameOf(token: string): string {
  return `awaz_sso_${hashToken(token).slice(0, 8)}`
}
