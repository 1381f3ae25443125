import { AppError } from '#contract/app-error.ts'
import type { KeptAddress, Role } from '#contract/entities/user.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { AuthSession, AuthUser, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Lockouts } from '#server/security/lockouts.ts'
import type { Audit } from '../audit/service.ts'
import type { PasswordChange } from '../auth/password-change.ts'
import type { PasswordPolicy } from '../auth/password-policy.ts'
import type { ClosedLibraries } from '../closed-library/service.ts'
import type { Sessions } from '../sessions/service.ts'
import type { NewUser, Users } from '../users/service.ts'
import type { SuperAdminGuard } from '../users/super-admin-guard.ts'
import { assertCanManage, assertNotSelf } from './policy.ts'

interface AdminDeps {
  users: Pick<Users, 'get' | 'create' | 'update'>
  sessions: Pick<Sessions, 'endAll'>
  lockouts: Pick<Lockouts, 'unlock'>
  guard: SuperAdminGuard
  passwordPolicy: PasswordPolicy
  passwordChange: PasswordChange
  closedLibraries: Pick<ClosedLibraries, 'close' | 'openIfClosed'>
  audit: Pick<Audit, 'record'>
  /** Cancels the queued and running jobs of a user. */
  cancelJobs: (userId: string) => Promise<void>
  /** Throws `on_hold` if the user owns something on legal hold. */
  assertNothingHeld: (userId: string) => Promise<void>
  /** Removes everything a user owns, the account last. */
  removeUser: (user: UserRecord) => Promise<void>
}

/** Who acts, from where and in which session. */
export interface AdminActionContext {
  user: AuthUser
  session: AuthSession
  origin: RequestOrigin
}

/** Actions of admins and super admins on accounts. Each is audited; a change of rights ends the user's sessions. */
export function createAdmin(deps: AdminDeps) {
  const { users, sessions, guard } = deps

  async function recordAction(
    context: AdminActionContext,
    action: string,
    target: UserRecord,
    details = '',
  ): Promise<void> {
    const entry = { action: `admin.${action}`, outcome: 'success' as const, actor: context.user, target: target.email }
    await deps.audit.record({ ...entry, details }, context.origin)
  }

  /** Returns the user to be changed. Throws `not_found` or `forbidden`. */
  async function requireTarget(context: AdminActionContext, id: string): Promise<UserRecord> {
    const target = await users.get(id)
    assertCanManage(context.user, target)
    return target
  }

  /** Changes a role, which ends the user's sessions. Users cannot change their own role. */
  async function setRole(context: AdminActionContext, id: string, role: Role): Promise<UserRecord> {
    const before = await requireTarget(context, id)
    const apply = () => {
      if (before.role !== role) assertNotSelf(context.user, before, 'role')
      return users.update(id, { role })
    }
    const changed =
      before.role === 'super_admin' && role !== 'super_admin' ? await guard.revokeRights(id, apply) : await apply()
    if (before.role !== role) {
      await sessions.endAll(id)
      await recordAction(context, 'role', before, `${before.role} to ${role}`)
    }
    return changed
  }

  async function setStatus(context: AdminActionContext, id: string, isActive: boolean): Promise<UserRecord> {
    const before = await requireTarget(context, id)
    if (!isActive) assertNotSelf(context.user, before, 'deactivate')
    const apply = () => users.update(id, { isActive })
    const changed = before.role === 'super_admin' && !isActive ? await guard.revokeRights(id, apply) : await apply()
    if (!isActive) {
      await sessions.endAll(id)
      await deps.cancelJobs(id)
    }
    await recordAction(context, isActive ? 'activate' : 'deactivate', before)
    return changed
  }

  async function revokeSessions(context: AdminActionContext, id: string): Promise<void> {
    const target = await requireTarget(context, id)
    await sessions.endAll(id)
    await recordAction(context, 'revoke_sessions', target)
  }

  async function unlock(context: AdminActionContext, id: string): Promise<void> {
    const target = await requireTarget(context, id)
    await deps.lockouts.unlock(target.email)
    await recordAction(context, 'unlock', target)
  }

  /** Deletes a user with everything they own; a super admin only if `canRemoveSuperAdmin`. Throws `on_hold` if any of it is on hold. */
  async function remove(
    context: AdminActionContext,
    id: string,
    { canRemoveSuperAdmin }: { canRemoveSuperAdmin: boolean },
  ): Promise<void> {
    const target = await requireTarget(context, id)
    if (target.role === 'super_admin' && !canRemoveSuperAdmin) {
      throw new AppError('forbidden', 'A super admin cannot be deleted here')
    }
    if (target.role !== 'super_admin') assertNotSelf(context.user, target, 'delete')
    await deps.assertNothingHeld(id)
    if (target.role === 'super_admin') await guard.revokeRights(id, () => users.update(id, { isActive: false }))
    await deps.removeUser(target)
    await recordAction(context, 'delete', target)
  }

  async function create(context: AdminActionContext, input: NewUser): Promise<UserRecord> {
    await deps.passwordPolicy.assertAllowed('registration', input.password, input)
    const created = await users.create(input, context.origin)
    await recordAction(context, 'create', created, `role ${created.role}`)
    return created
  }

  /**
   * Sets a password that must be changed at the next sign-in. The library is closed until the owner is proven, unless the super admin
   * confirms knowing who is asking, nobody has used the account yet, or it is the super admin's own account: they have just confirmed who
   * they are.
   */
  async function resetPassword(
    context: AdminActionContext,
    id: string,
    { password, opensLibrary, address }: { password: string; opensLibrary: boolean; address: KeptAddress },
  ): Promise<void> {
    if (password.trim() === '') throw invalidInput(['Password cannot be empty'], 'new_password')
    const target = await requireTarget(context, id)
    await deps.passwordPolicy.assertAllowed('change', password, target)
    const { user: actor, origin } = context
    const set = (closure?: NonNullable<UserRecord['libraryClosure']>) =>
      deps.passwordChange.apply(target, password, { mustChange: true, origin, ...(closure && { closure }) })
    if (opensLibrary || isUnused(target) || target.id === actor.id) await set()
    else await deps.closedLibraries.close(target, { reason: 'password', actor, origin }, set)
    await recordAction(context, 'reset_password', target, opensLibrary ? 'library opened' : '')
    if (opensLibrary) await deps.closedLibraries.openIfClosed(target, { actor, origin, address })
  }

  return { setRole, setStatus, revokeSessions, unlock, remove, create, resetPassword }
}

export type AdminService = ReturnType<typeof createAdmin>

/**
 * Returns whether a super admin created the account and nobody has signed in to it yet: its first password was set by a super admin too.
 */
function isUnused({ lastLoginAt, passwordExpiresAt }: UserRecord): boolean {
  return lastLoginAt === null && passwordExpiresAt instanceof Date
}
