import type { AppContext } from '#server/http/context.ts'
import type { StartedSession } from './issue.ts'
import { deviceLifetimeMs } from './known-devices.ts'
import type { Tokens } from './tokens.ts'

interface Cookie {
  name: string
  path: string
}

const bindingCookie: Cookie = { name: 'awaz_binding', path: '/api/auth' }
const audioCookie: Cookie = { name: 'awaz_audio', path: '/api/audio' }
const proofCookie: Cookie = { name: 'awaz_registration', path: '/api/auth/registration' }
/** One cookie per account: `tag` comes from known-devices.ts. Signing out keeps it. Used for every way to sign in. */
const deviceCookie = (tag: string): Cookie => ({ name: `awaz_device_${tag}`, path: '/api/auth' })
const proofLifetimeMs = 30 * 60_000

interface CookieDeps {
  tokens: Pick<Tokens, 'sign'>
  /** Cookies are marked Secure if people reach the server over https. */
  publicUrl: string
}

/** The cookies of the product: HttpOnly, SameSite=Strict, each with its own path. */
export function createCookies({ tokens, publicUrl }: CookieDeps) {
  const isSecure = publicUrl.startsWith('https://')

  /**
   * Without `maxAgeMs` the cookie ends with the browser session; 0 removes it. Koa's own cookies only write `Expires`, based on the
   * server's clock, which may be wrong on a network without internet; `Max-Age` (RFC 6265, section 5.2.2) needs no common clock.
   */
  function set(ctx: AppContext, { name, path }: Cookie, value: string, maxAgeMs?: number): void {
    const age = maxAgeMs === undefined ? '' : `; Max-Age=${Math.ceil(maxAgeMs / 1000)}`
    const secure = isSecure ? '; Secure' : ''
    ctx.append('Set-Cookie', `${name}=${value}; Path=${path}; HttpOnly; SameSite=Strict${age}${secure}`)
  }

  /**
   * Sets the audio cookie whenever tokens are issued, and the binding cookie at sign-in; both last as long as the session is remembered.
   */
  function setSession(ctx: AppContext, session: StartedSession): void {
    const maxAgeMs = session.isRemembered ? session.remainingMs : undefined
    if (session.binding) set(ctx, bindingCookie, session.binding, maxAgeMs)
    const { userId, sessionId, generation } = session
    const claims = { userId, sessionId, generation }
    set(ctx, audioCookie, tokens.sign('audio', claims, session.remainingMs), maxAgeMs)
  }

  function clearSession(ctx: AppContext): void {
    set(ctx, bindingCookie, '', 0)
    set(ctx, audioCookie, '', 0)
  }

  /** Sets the proof that this browser verified the e-mail address: the two-factor calls of registration carry only a user id. */
  function setProof(ctx: AppContext, userId: string): void {
    set(ctx, proofCookie, tokens.sign('registration', { userId }, proofLifetimeMs), proofLifetimeMs)
  }

  /** Marks the browser as one that has signed in to the account before. */
  function setDevice(ctx: AppContext, tag: string, token: string): void {
    set(ctx, deviceCookie(tag), token, deviceLifetimeMs)
  }

  return {
    setSession,
    setDevice,
    readDevice: (ctx: AppContext, tag: string) => ctx.cookies.get(deviceCookie(tag).name),
    clearSession,
    setProof,
    clearProof: (ctx: AppContext) => set(ctx, proofCookie, '', 0),
    readBinding: (ctx: AppContext) => ctx.cookies.get(bindingCookie.name),
    readAudio: (ctx: AppContext) => ctx.cookies.get(audioCookie.name),
    readProof: (ctx: AppContext) => ctx.cookies.get(proofCookie.name),
  }
}

export type SessionCookies = ReturnType<typeof createCookies>

/** Returns whether a browser sent this request: only browsers add these headers to a POST, and scripts cannot remove them. */
export function isBrowser(ctx: AppContext): boolean {
  return ctx.get('Origin') !== '' || ctx.get('Sec-Fetch-Site') !== ''
}
