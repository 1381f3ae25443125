import { api } from '#contract/api.ts'
import type { Config } from '#data/config.ts'
import type { AppRouter, RequestOrigin } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import { isBrowser, type SessionCookies } from '../sessions/cookies.ts'
import type { PresentOwnUser } from '../sessions/present-own-user.ts'
import type { SsoCookies } from './cookies.ts'
import type { DirectorySignIn } from './ldap/directory-sign-in.ts'
import { mountDirectory } from './ldap/routes.ts'
import { mountOidc, type OidcRoutesDeps } from './oidc/routes.ts'
import { presentOutcome } from './present.ts'
import { mountProviders, type ProviderRoutesDeps } from './provider-routes.ts'
import type { SsoSignIn } from './sign-in.ts'

const minuteMs = 60_000
const tooManySignIns = 'Too many failed attempts. Please wait before trying again.'

export interface SsoRoutesDeps {
  sso: Omit<OidcRoutesDeps, 'countCall'> &
    ProviderRoutesDeps & { signIn: SsoSignIn; directorySignIn: DirectorySignIn; ssoCookies: SsoCookies }
  cookies: Pick<SessionCookies, 'setSession'>
  presentOwnUser: PresentOwnUser
  limiter: Pick<RateLimiter, 'count'>
  config: { rates: Pick<Config['rates'], 'signInPerMinute'> }
}

export function mountSso(router: AppRouter, deps: SsoRoutesDeps): void {
  const { sso, limiter, config } = deps

  /** Counts together with signing in by password. */
  function countCall({ ip }: RequestOrigin): Promise<void> {
    const limit = config.rates.signInPerMinute
    return limiter.count({ name: 'signin', key: ip, limit, windowMs: minuteMs, message: tooManySignIns })
  }

  mountProviders(router, sso)
  mountOidc(router, { ...sso, countCall })
  mountDirectory(router, { ...sso, cookies: deps.cookies, presentOwnUser: deps.presentOwnUser, countCall })

  route(
    router,
    api.sso.finish,
    async ({ body, origin, ctx }) => {
      await countCall(origin)
      const { ticket, totp_token: code, password } = body
      const binding = sso.ssoCookies.readBinding(ctx, ticket)
      const outcome = await sso.signIn.finish({
        token: ticket,
        binding,
        code: code || undefined,
        password: password || undefined,
        origin,
        isBrowser: isBrowser(ctx),
      })
      if (outcome.kind === 'signed_in') sso.ssoCookies.clearBinding(ctx, ticket)
      return presentOutcome(ctx, deps, outcome, ticket)
    },
    { isUncounted: true },
  )
}
