import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { AppContext, AppRouter, RequestOrigin } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { SsoCookies } from '../cookies.ts'
import type { OidcSignIn } from './sign-in.ts'
import type { OidcSignOut } from './sign-out.ts'

/** A logout token is about one kilobyte. */
const maxLogoutBodyBytes = 64 * 1024

export interface OidcRoutesDeps {
  oidcSignIn: OidcSignIn
  oidcSignOut: Pick<OidcSignOut, 'endByLogoutToken'>
  ssoCookies: SsoCookies
  publicUrl: string
  /** Counts a call against the sign-in limit. Throws `rate_limited`. */
  countCall: (origin: RequestOrigin) => Promise<void>
}

export function mountOidc(
  router: AppRouter,
  { oidcSignIn, oidcSignOut, ssoCookies, publicUrl, countCall }: OidcRoutesDeps,
): void {
  route(
    router,
    api.sso.start,
    async ({ params, body, origin, ctx }) => {
      await countCall(origin)
      const { redirectTo, ticket } = await oidcSignIn.start(params.id, { isRemembered: body.remember_me })
      ssoCookies.setBinding(ctx, ticket)
      return { redirect_to: redirectTo }
    },
    { isUncounted: true },
  )

  route(router, api.sso.callback, async ({ params, origin, log, ctx }) => {
    const query = new URLSearchParams(ctx.querystring)
    const state = query.get('state') ?? ''
    const binding = ssoCookies.readBinding(ctx, state)
    if (binding) ssoCookies.clearBinding(ctx, state)
    const outcome = await oidcSignIn.finishAtProvider({ providerId: params.id, query, binding, origin, log })
    const page = new URL('/sso', publicUrl)
    if ('ticket' in outcome) {
      ssoCookies.setBinding(ctx, outcome.ticket)
      page.searchParams.set('ticket', outcome.ticket.token)
    } else page.searchParams.set('error', outcome.failure)
    ctx.status = 303
    ctx.set('Location', page.href)
    ctx.body = ''
  })

  route(router, api.sso.backChannelLogout, async ({ params, origin, ctx }) => {
    const token = new URLSearchParams(await readText(ctx)).get('logout_token')
    if (!token) throw new AppError('invalid_input', 'Send a logout_token as application/x-www-form-urlencoded.')
    await oidcSignOut.endByLogoutToken(params.id, token, origin)
    return { message: 'Signed out' }
  })
}

async function readText({ req }: Pick<AppContext, 'req'>): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of req) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('A body is a stream of bytes')
    sizeBytes += chunk.length
    if (sizeBytes > maxLogoutBodyBytes) throw new AppError('invalid_input', 'The request is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
