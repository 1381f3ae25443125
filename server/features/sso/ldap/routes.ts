import { api } from '#contract/api.ts'
import type { AppRouter, RequestOrigin } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { isBrowser, type SessionCookies } from '../../sessions/cookies.ts'
import type { PresentOwnUser } from '../../sessions/present-own-user.ts'
import type { SsoCookies } from '../cookies.ts'
import { presentOutcome } from '../present.ts'
import type { SsoSignIn } from '../sign-in.ts'
import type { DirectorySignIn } from './directory-sign-in.ts'

export interface DirectoryRoutesDeps {
  directorySignIn: DirectorySignIn
  signIn: SsoSignIn
  ssoCookies: Pick<SsoCookies, 'setBinding'>
  cookies: Pick<SessionCookies, 'setSession'>
  presentOwnUser: PresentOwnUser
  /** Counts a sign-in from an address. Throws `rate_limited`. */
  countCall: (origin: RequestOrigin) => Promise<void>
}

/** Mounts the sign-in with the name and password of a directory: at once, or with a ticket if something else must be entered. */
export function mountDirectory(router: AppRouter, deps: DirectoryRoutesDeps): void {
  const { directorySignIn, signIn, ssoCookies, countCall } = deps

  route(
    router,
    api.sso.directorySignIn,
    async ({ params, body, origin, ctx }) => {
      await countCall(origin)
      const provider = await directorySignIn.findDirectory(params.id)
      const identity = await directorySignIn.prove(provider, body, origin)
      const ticket = await signIn.begin(identity, provider, { origin, isRemembered: body.remember_me })
      const entered = { code: undefined, password: undefined, origin, isBrowser: isBrowser(ctx) }
      const outcome = await signIn.finish({ ...ticket, ...entered })
      if (outcome.kind !== 'signed_in') ssoCookies.setBinding(ctx, ticket)
      return presentOutcome(ctx, deps, outcome, ticket.token)
    },
    { isUncounted: true },
  )
}
