import { api } from '#contract/api.ts'
import type { Config } from '#data/config.ts'
import type { AppRouter, RequestOrigin } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import { isBrowser, type SessionCookies } from '../sessions/cookies.ts'
import type { PresentOwnUser } from '../sessions/present-own-user.ts'
import type { SsoCookies } from './cookies.ts'
import type { DirectorySignIn } from './ldap/directory-sign-in.ts'
import { mountDirectory } from './ldap/routes.ts'
import { mountOidc, type OidcRoutesDeps } from './oidc/routes.ts'
import { presentOutcome, presentProvider } from './present.ts'
import type { SsoSignIn } from './sign-in.ts'
import type { ProviderChanges } from './provider-changes.ts'
import type { Providers } from './providers.ts'
import type { TestProvider } from './test-provider.ts'

interface ProviderRoutesDeps {
  providers: Providers
  providerChanges: ProviderChanges
  testProvider: TestProvider
  publicUrl: string
}

function mountProviders(
  router: AppRouter,
  { providers, providerChanges, testProvider, publicUrl }: ProviderRoutesDeps,
): void {
  async function present(provider: SignInProviderRecord) {
    return presentProvider(provider, { users: await providers.countUsers(provider.id), publicUrl })
  }

  route(router, api.signInAdmin.listProviders, async () => ({
    providers: await Promise.all((await providers.list()).map(present)),
  }))

  route(router, api.signInAdmin.createProvider, async ({ body, user, origin }) => ({
    provider: await present(await providerChanges.create({ user, origin }, body)),
  }))

  route(router, api.signInAdmin.updateProvider, async ({ params, body, user, origin }) => ({
    provider: await present(await providerChanges.update({ user, origin }, params.id, body)),
  }))

  route(router, api.signInAdmin.deleteProvider, async ({ params, user, origin }) => {
    await providerChanges.remove({ user, origin }, params.id)
    return { message: 'Provider removed' }
  })

  route(router, api.signInAdmin.testProvider, async ({ params, body, user, origin }) => {
    const provider = await providers.get(params.id)
    const result = await testProvider(provider, body.username)
    await providerChanges.recordTest({ user, origin }, provider)
    return result
  })
}

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

  /** Counts a call towards the same limit as password sign-ins. */
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
