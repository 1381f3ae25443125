import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import { readCodeHeader } from '#server/http/code-header.ts'
import type { AppContext, AppRouter, AuthSession, AuthUser, RequestOrigin } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Audit } from '../audit/service.ts'
import type { SessionCookies } from './cookies.ts'
import { presentSession } from './present.ts'
import { assertRecentPassword } from './recent-password.ts'
import type { Sessions } from './service.ts'

interface SessionRoutesDeps {
  sessions: Pick<Sessions, 'list' | 'end' | 'endAll'>
  cookies: Pick<SessionCookies, 'clearSession'>
  audit: Pick<Audit, 'record'>
  clock: Clock
  /**
   * Uses up a second-factor code. Returns false if the user has no second factor; throws `wrong_code`, `account_locked` or `invalid_input`.
   */
  confirmByCode: (by: Confirmation, code: string) => Promise<boolean>
}

/** Who confirms, in which session and from where. */
interface Confirmation {
  user: Pick<AuthUser, 'id'>
  session: AuthSession
  origin: RequestOrigin
}

export function mountSessions(router: AppRouter, deps: SessionRoutesDeps): void {
  const { sessions, audit, cookies, clock, confirmByCode } = deps

  /** Requires a second-factor code in X-TOTP-Token, or else that the password was entered in the last five minutes. */
  async function requireConfirmation(by: Confirmation, ctx: AppContext): Promise<void> {
    const code = readCodeHeader(ctx)
    if (code !== '' && (await confirmByCode(by, code))) return
    assertRecentPassword(by.session, clock)
  }

  route(router, api.profile.listSessions, async ({ user, session }) => {
    const found = await sessions.list(user.id)
    return { sessions: found.map((each) => presentSession(each, session.id)) }
  })

  route(router, api.profile.endSession, async ({ user, session, params, origin, ctx }) => {
    if (params.id !== session.id) await requireConfirmation({ user, session, origin }, ctx)
    const wasThere = await sessions.end(user.id, params.id)
    if (!wasThere) throw new AppError('not_found', 'Session not found')
    await audit.record({ action: 'session.end', outcome: 'success', actor: user, target: params.id }, origin)
    return { message: 'Session ended' }
  })

  route(router, api.profile.endAllSessions, async ({ user, session, origin, ctx }) => {
    await requireConfirmation({ user, session, origin }, ctx)
    await sessions.endAll(user.id)
    await audit.record({ action: 'session.end_all', outcome: 'success', actor: user }, origin)
    cookies.clearSession(ctx)
    return { message: 'All sessions ended' }
  })
}
