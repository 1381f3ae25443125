import { randomBytes } from 'node:crypto'
import type { Context, Next } from 'koa'

interface HeaderOptions {
  publicUrl: string
  /** Another origin that the web app calls, if any. */
  apiOrigin: string | undefined
}

/** Returns a nonce for one response of index.html (CSP Level 3: at least 128 bits). */
export function makeNonce(): string {
  return randomBytes(16).toString('base64')
}

/** Returns the policy for our pages: nothing from another origin, no inline scripts, inline styles only with a nonce. */
export function pagePolicy(nonce: string, apiOrigin: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self'${apiOrigin ? ` ${apiOrigin}` : ''}`,
    `media-src 'self' blob:${apiOrigin ? ` ${apiOrigin}` : ''}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Sets the headers of every response; pages override the policy. API responses are never cached. */
export function securityHeaders({ publicUrl }: HeaderOptions) {
  const isHttps = publicUrl.startsWith('https://')
  return async function setSecurityHeaders(ctx: Context, next: Next) {
    ctx.set({
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
      'Cache-Control': 'no-store',
    })
    if (isHttps) ctx.set('Strict-Transport-Security', 'max-age=31536000')
    await next()
  }
}
