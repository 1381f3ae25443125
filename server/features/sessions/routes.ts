import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { AppRouter } from '#server/http/context.ts'
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
}

export function mountSessions(router: AppRouter, { sessions, audit, cookies, clock }: SessionRoutesDeps): void {
  route(router, api.profile.listSessions, async ({ user, session }) => {
    const found = await sessions.list(user.id)
    return { sessions: found.map((each) => presentSession(each, session.id)) }
  })

  route(router, api.profile.endSession, async ({ user, session, params, origin }) => {
    if (params.id !== session.id) assertRecentPassword(session, clock)
    const wasThere = await sessions.end(user.id, params.id)
    if (!wasThere) throw new AppError('not_found', 'Session not found')
    await audit.record({ action: 'session.end', outcome: 'success', actor: user, target: params.id }, origin)
    return { message: 'Session ended' }
  })

  route(router, api.profile.endAllSessions, async ({ user, session, origin, ctx }) => {
    assertRecentPassword(session, clock)
    await sessions.endAll(user.id)
    await audit.record({ action: 'session.end_all', outcome: 'success', actor: user }, origin)
    cookies.clearSession(ctx)
    return { message: 'All sessions ended' }
  })
}
