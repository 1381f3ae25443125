import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import type { Services } from '#server/services.ts'
import { presentAttempt } from '../audit/present.ts'
import { presentSession, presentUser } from '../users/present.ts'

const attemptsShown = 10

export function mountAdmin(router: AppRouter, services: Services): void {
  const { users, sessions, audit, lockouts, admin, adminEdit } = services

  route(router, api.admin.listUsers, async ({ query }) => {
    const { total, rows } = await users.list({ search: query.search, state: query.state }, query)
    return { users: rows.map(presentUser), ...presentPage(query, total) }
  })

  route(router, api.admin.getUser, async ({ params }) => {
    const user = await users.get(params.id)
    const [live, attempts, lockedSeconds] = await Promise.all([
      sessions.list(params.id),
      audit.listSignIns(params.id, attemptsShown),
      lockouts.remainingSeconds(user.email),
    ])
    return {
      user: presentUser(user),
      sessions: live.map((session) => presentSession(session, undefined)),
      recent_login_attempts: attempts.map(presentAttempt),
      locked_seconds: lockedSeconds,
    }
  })

  route(router, api.admin.updateUser, async ({ params, body, ...acting }) => ({
    user: presentUser(await adminEdit.update(acting, params.id, body)),
  }))

  route(router, api.admin.resetTwoFactor, async ({ params, body, ...acting }) => ({
    user: presentUser(await adminEdit.resetTwoFactor(acting, params.id, body.reason)),
  }))

  route(router, api.admin.setRole, async ({ params, body, ...acting }) => ({
    user: presentUser(await admin.setRole(acting, params.id, body.role)),
  }))

  route(router, api.admin.setStatus, async ({ params, body, ...acting }) => ({
    user: presentUser(await admin.setStatus(acting, params.id, body.is_active)),
  }))

  route(router, api.admin.unlockUser, async ({ params, ...acting }) => {
    await admin.unlock(acting, params.id)
    return { message: 'Account unlocked' }
  })

  route(router, api.admin.revokeSessions, async ({ params, ...acting }) => {
    await admin.revokeSessions(acting, params.id)
    return { message: 'All sessions of the user ended' }
  })

  route(router, api.admin.deleteUser, async ({ params, ...acting }) => {
    await admin.remove(acting, params.id, { canRemoveSuperAdmin: false })
    return { message: 'User deleted' }
  })

  route(router, api.admin.stats, async () => users.stats())
}
