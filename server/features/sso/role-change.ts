import { AppError } from '#contract/app-error.ts'
import type { Role } from '#contract/entities/user.ts'
import type { SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Users } from '../users/service.ts'
import type { SuperAdminGuard } from '../users/super-admin-guard.ts'

interface RoleChangeDeps {
  users: Pick<Users, 'update'>
  sessions: Pick<Sessions, 'endAll'>
  guard: SuperAdminGuard
  audit: Pick<Audit, 'record'>
}

interface Change {
  user: UserRecord
  role: Role
  provider: SignInProviderRecord
}

/** Gives people the role of their groups at the provider. */
export function createRoleChange({ users, sessions, guard, audit }: RoleChangeDeps) {
  /** Changes the role and ends the sessions that had the other one. The last active super admin stays one. */
  return async function followRole({ user, role, provider }: Change, origin: RequestOrigin): Promise<UserRecord> {
    const apply = () => users.update(user.id, { role })
    const entry = { action: 'auth.sso_role', actor: user, target: user.email }
    const details = `${user.role} to ${role} by ${provider.settings.name}`
    try {
      const changed = user.role === 'super_admin' ? await guard.revokeRights(user.id, apply) : await apply()
      await sessions.endAll(user.id)
      await audit.record({ ...entry, outcome: 'success', details }, origin)
      return changed
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'conflict')) throw error
      await audit.record({ ...entry, outcome: 'denied', details: `${details}: the last super admin` }, origin)
      return user
    }
  }
}
