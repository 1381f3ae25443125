import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import type { SessionRecord } from '#data/sessions/sessions.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { Audit } from '../audit/service.ts'
import { isBrowser, type SessionCookies } from '../sessions/cookies.ts'
import type { KnownDevices } from '../sessions/known-devices.ts'
import type { PresentOwnUser } from '../sessions/present-own-user.ts'
import { presentTokens } from '../sessions/present.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Users } from '../users/service.ts'
import type { SignIn } from './sign-in.ts'

const minuteMs = 60_000
const verifyFirst = 'Please verify your email address before logging in'

interface SignInRoutesDeps {
  signIn: SignIn
  users: Pick<Users, 'findById'>
  sessions: Pick<Sessions, 'sessionIdOf' | 'refresh' | 'endByRefreshToken'>
  cookies: Pick<SessionCookies, 'setSession' | 'clearSession' | 'setDevice' | 'readDevice' | 'readBinding'>
  devices: Pick<KnownDevices, 'tagOf'>
  limiter: Pick<RateLimiter, 'countInSteps'>
  presentOwnUser: PresentOwnUser
  audit: Pick<Audit, 'record'>
  /** Returns the address at which the browser ends its session with the provider that this session was started through. */
  findSignOutAddress: (provider: SessionRecord['provider']) => Promise<string | undefined>
  config: { rates: Pick<Config['rates'], 'refreshPerMinute'> }
}

export function mountSignIn(router: AppRouter, deps: SignInRoutesDeps): void {
  const { signIn, users, sessions, cookies, devices, limiter, audit, config } = deps

  route(
    router,
    api.auth.signIn,
    async ({ body, origin, ctx }) => {
      const device = devices.tagOf(body.email)
      const deviceToken = cookies.readDevice(ctx, device)
      const outcome = await signIn(body, { origin, isBrowser: isBrowser(ctx), deviceToken })
      if (outcome.kind === 'requires_2fa')
        return { requires_2fa: true as const, user_id: outcome.userId, methods: outcome.methods }
      if (outcome.kind === 'requires_verification') {
        return { requires_verification: true as const, user_id: outcome.userId, message: verifyFirst }
      }
      cookies.setSession(ctx, outcome.session)
      cookies.setDevice(ctx, device, outcome.deviceToken)
      return { ...presentTokens(outcome.session), user: await deps.presentOwnUser(outcome.user) }
    },
    { isUncounted: true },
  )

  route(router, api.auth.refresh, async ({ body, origin, ctx }) => {
    const sessionId = await sessions.sessionIdOf(body.refresh_token)
    if (!sessionId) throw new AppError('session_expired', 'Token has expired')
    limiter.countInSteps({ name: 'refresh', key: sessionId, limit: config.rates.refreshPerMinute, windowMs: minuteMs })
    const session = await sessions.refresh(body.refresh_token, cookies.readBinding(ctx), origin)
    cookies.setSession(ctx, session)
    return presentTokens(session)
  })

  route(router, api.auth.signOut, async ({ body, origin, ctx }) => {
    const ended = body.refresh_token ? await sessions.endByRefreshToken(body.refresh_token) : undefined
    const user = ended && (await users.findById(ended.userId))
    if (user) await audit.record({ action: 'auth.signout', outcome: 'success', actor: user }, origin)
    cookies.clearSession(ctx)
    const redirectTo = await deps.findSignOutAddress(ended?.provider)
    return { message: 'Logged out successfully', ...(redirectTo && { redirect_to: redirectTo }) }
  })
}
