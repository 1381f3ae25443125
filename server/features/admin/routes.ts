import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Lockouts } from '#server/security/lockouts.ts'
import { presentAttempt } from '../audit/present.ts'
import type { Audit } from '../audit/service.ts'
import { presentSession } from '../sessions/present.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Providers } from '../sso/providers.ts'
import { presentUser } from '../users/present.ts'
import type { Users } from '../users/service.ts'
import type { AdminEditService } from './edit.ts'
import type { AdminService } from './service.ts'

const maxAttemptsShown = 10

interface AdminRoutesDeps {
  users: Pick<Users, 'get'>
  sessions: Pick<Sessions, 'list'>
  audit: Pick<Audit, 'listSignIns'>
  lockouts: Pick<Lockouts, 'remainingSeconds'>
  admin: AdminService
  adminEdit: AdminEditService
  sso: { providers: Pick<Providers, 'namesOf'> }
}

export function mountAdmin(router: AppRouter, deps: AdminRoutesDeps): void {
  const { users, sessions, audit, lockouts, admin, adminEdit, sso } = deps

  route(router, api.admin.getUser, async ({ params, session: current }) => {
    const user = await users.get(params.id)
    const [live, attempts, lockedSeconds] = await Promise.all([
      sessions.list(params.id),
      audit.listSignIns(params.id, maxAttemptsShown),
      lockouts.remainingSeconds(user.email),
    ])
    return {
      user: presentUser(user),
      sessions: live.map((session) => presentSession(session, current.id)),
      recent_login_attempts: attempts.map(presentAttempt),
      locked_seconds: lockedSeconds,
      providers: await sso.providers.namesOf(params.id),
    }
  })

  route(router, api.admin.updateUser, async ({ params, body, ...context }) => ({
    user: presentUser(await adminEdit.update(context, params.id, body)),
  }))

  route(router, api.admin.resetTwoFactor, async ({ params, body, ...context }) => ({
    user: presentUser(await adminEdit.resetTwoFactor(context, params.id, body.reason)),
  }))

  route(router, api.admin.setRole, async ({ params, body, ...context }) => ({
    user: presentUser(await admin.setRole(context, params.id, body.role)),
  }))

  route(router, api.admin.setStatus, async ({ params, body, ...context }) => ({
    user: presentUser(await admin.setStatus(context, params.id, body.is_active)),
  }))

  route(router, api.admin.unlockUser, async ({ params, ...context }) => {
    await admin.unlock(context, params.id)
    return { message: 'Account unlocked' }
  })

  route(router, api.admin.revokeSessions, async ({ params, ...context }) => {
    await admin.revokeSessions(context, params.id)
    return { message: 'All sessions of the user ended' }
  })

  route(router, api.admin.deleteUser, async ({ params, ...context }) => {
    await admin.remove(context, params.id, { canRemoveSuperAdmin: false })
    return { message: 'User deleted' }
  })
}
