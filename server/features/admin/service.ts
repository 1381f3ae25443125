import { AppError } from '#contract/app-error.ts'
import type { Role } from '#contract/entities/user.ts'
import type { UserDoc } from '#data/users/user-model.ts'
import type { AuthSession, AuthUser, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import type { PasswordOwner } from '../auth/guessable-words.ts'
import type { Lockouts } from '../auth/lockouts.ts'
import type { PasswordChange } from '../auth/password-change.ts'
import type { PasswordForm, PasswordRules } from '../auth/password-rules.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Users, NewUser } from '../users/service.ts'
import type { SuperAdminGuard } from '../users/super-admin-guard.ts'
import { assertCanManage, assertNotSelf } from './policy.ts'

interface AdminDeps {
  users: Users
  sessions: Sessions
  lockouts: Lockouts
  guard: SuperAdminGuard
  passwordRules: PasswordRules
  passwordChange: PasswordChange
  audit: Audit
  /** Cancels the waiting and running work of a user. */
  stopWork: (userId: string) => Promise<void>
  /** Removes everything a user owns, the account last. */
  removeUser: (user: UserDoc) => Promise<void>
}

/** Who acts, from where; `session` is the one that goes on when admins change themselves. */
export interface Acting {
  user: AuthUser
  session: AuthSession
  origin: RequestOrigin
}

/** What admins and super admins do to accounts. Every deed is audited; what changes rights ends sessions. */
export function createAdmin(deps: AdminDeps) {
  const { users, sessions, guard } = deps

  async function note(acting: Acting, action: string, target: UserDoc, details = ''): Promise<void> {
    const entry = { action: `admin.${action}`, outcome: 'success' as const, actor: acting.user, target: target.email }
    await deps.audit.record({ ...entry, details }, acting.origin)
  }

  /** The user to be changed, if this actor may. */
  async function requireTarget(acting: Acting, id: string): Promise<UserDoc> {
    const target = await users.get(id)
    assertCanManage(acting.user, target)
    return target
  }

  /** Gives a role; the sessions of the user end. Nobody changes their own. */
  async function setRole(acting: Acting, id: string, role: Role): Promise<UserDoc> {
    const before = await requireTarget(acting, id)
    const apply = () => {
      if (before.role !== role) assertNotSelf(acting.user, before, 'role')
      return users.update(id, { role })
    }
    const changed =
      before.role === 'super_admin' && role !== 'super_admin' ? await guard.takeAway(id, apply) : await apply()
    if (before.role !== role) {
      await sessions.endAll(id)
      await note(acting, 'role', before, `${before.role} to ${role}`)
    }
    return changed
  }

  async function setStatus(acting: Acting, id: string, isActive: boolean): Promise<UserDoc> {
    const before = await requireTarget(acting, id)
    if (!isActive) assertNotSelf(acting.user, before, 'deactivate')
    const apply = () => users.update(id, { isActive })
    const changed = before.role === 'super_admin' && !isActive ? await guard.takeAway(id, apply) : await apply()
    if (!isActive) {
      await sessions.endAll(id)
      await deps.stopWork(id)
    }
    await note(acting, isActive ? 'activate' : 'deactivate', before)
    return changed
  }

  async function revokeSessions(acting: Acting, id: string): Promise<void> {
    const target = await requireTarget(acting, id)
    await sessions.endAll(id)
    await note(acting, 'revoke_sessions', target)
  }

  async function unlock(acting: Acting, id: string): Promise<void> {
    const target = await requireTarget(acting, id)
    await deps.lockouts.unlock(target.email)
    await note(acting, 'unlock', target)
  }

  /** Deletes a user with all they own. Through the admin panel never a super admin. */
  async function remove(
    acting: Acting,
    id: string,
    { canRemoveSuperAdmin }: { canRemoveSuperAdmin: boolean },
  ): Promise<void> {
    const target = await requireTarget(acting, id)
    if (target.role === 'super_admin' && !canRemoveSuperAdmin) {
      throw new AppError('forbidden', 'A super admin cannot be deleted here')
    }
    if (target.role === 'super_admin') await guard.takeAway(id, () => users.update(id, { isActive: false }))
    else assertNotSelf(acting.user, target, 'delete')
    await deps.removeUser(target)
    await note(acting, 'delete', target)
  }

  async function create(acting: Acting, input: NewUser): Promise<UserDoc> {
    await requireGoodPassword('registration', input.password, input)
    const created = await users.create(input, acting.origin)
    await note(acting, 'create', created, `role ${created.role}`)
    return created
  }

  async function requireGoodPassword(form: PasswordForm, password: string, owner: PasswordOwner): Promise<void> {
    const faults = await deps.passwordRules.faults(form, password, owner)
    if (faults.length > 0) throw invalidInput(faults, form === 'registration' ? 'password' : 'new_password')
  }

  /** Sets a password that must be changed at the next sign-in. */
  async function resetPassword(acting: Acting, id: string, password: string): Promise<void> {
    if (password.trim() === '') throw invalidInput(['Password cannot be empty'], 'new_password')
    const target = await requireTarget(acting, id)
    await requireGoodPassword('change', password, target)
    await deps.passwordChange.apply(target, password, { mustChange: true, origin: acting.origin })
    await note(acting, 'reset_password', target)
  }

  return { setRole, setStatus, revokeSessions, unlock, remove, create, resetPassword }
}
