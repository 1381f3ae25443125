import type { AppContext } from '#server/http/context.ts'
import { deviceLifetimeMs } from '../auth/known-devices.ts'
import type { StartedSession } from './issue.ts'
import type { Tokens } from './tokens.ts'

const bindingCookie = { name: 'awaz_binding', path: '/api/auth' }
const audioCookie = { name: 'awaz_audio', path: '/api/audio' }
const proofCookie = { name: 'awaz_registration', path: '/api/auth/registration' }
/** One an account: `tag` is that of known-devices.ts. Signing out leaves it. */
const deviceCookie = (tag: string) => ({ name: `awaz_device_${tag}`, path: '/api/auth/signin' })
export const proofLifetimeMs = 30 * 60_000

interface CookieDeps {
  tokens: Tokens
  /** Cookies are marked Secure when people reach the server by https. */
  publicUrl: string
}

/** The cookies of the product: HttpOnly, SameSite=Strict, each for its own path. */
export function createCookies({ tokens, publicUrl }: CookieDeps) {
  const isSecure = publicUrl.startsWith('https://')

  function set(ctx: AppContext, cookie: { name: string; path: string }, value: string, maxAgeMs?: number): void {
    const age = maxAgeMs === undefined ? '' : `; Max-Age=${Math.ceil(maxAgeMs / 1000)}`
    const secure = isSecure ? '; Secure' : ''
    ctx.append('Set-Cookie', `${cookie.name}=${value}; Path=${cookie.path}; HttpOnly; SameSite=Strict${age}${secure}`)
  }

  /** The audio cookie at each issue of tokens, the binding at sign-in; both end with the browser unless it is remembered. */
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

  /** Proof that this browser verified the e-mail: the registration two-factor calls name only a user. */
  function setProof(ctx: AppContext, userId: string): void {
    set(ctx, proofCookie, tokens.sign('registration', { userId }, proofLifetimeMs), proofLifetimeMs)
  }

  /** Marks the browser as one that signed in to the account before. */
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

/** Whether a browser sent this request: they alone add these headers to a POST, and scripts cannot leave them out. */
export function isBrowser(ctx: AppContext): boolean {
  return ctx.get('Origin') !== '' || ctx.get('Sec-Fetch-Site') !== ''
}
