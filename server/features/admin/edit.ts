import { AppError } from '#contract/app-error.ts'
import { ChangedNames, NewEmail } from '#contract/names.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import { parseInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import type { ClosedLibraries } from '../closed-library/service.ts'
import type { Passkeys } from '../passkeys/service.ts'
import type { TwoFactorChange } from '../two-factor/change.ts'
import type { TwoFactorService } from '../two-factor/service.ts'
import type { Users } from '../users/service.ts'
import type { EmailChanges } from './email-changes.ts'
import { assertCanManage, assertNotSelf } from './policy.ts'
import type { AdminActionContext } from './service.ts'

interface AdminEditDeps {
  users: Pick<Users, 'get' | 'rename'>
  twoFactor: Pick<TwoFactorService, 'disable'>
  passkeys: Pick<Passkeys, 'removeAll'>
  twoFactorChange: TwoFactorChange
  closedLibraries: Pick<ClosedLibraries, 'close'>
  emailChanges: Pick<EmailChanges, 'request'>
  audit: Pick<Audit, 'record'>
}

interface UserChange {
  first_name?: string | undefined
  last_name?: string | undefined
  username?: string | undefined
  email?: string | undefined
}

/** Changes that admins make to other people's accounts: names, e-mail address, a lost second factor. */
export function createAdminEdit(deps: AdminEditDeps) {
  const { users, audit } = deps

  async function requireTarget(context: AdminActionContext, id: string): Promise<UserRecord> {
    const target = await users.get(id)
    assertCanManage(context.user, target)
    return target
  }

  /** Changes names and requests a new address. Only changed names are checked: accounts older than the naming rules keep theirs. */
  async function update(context: AdminActionContext, id: string, change: UserChange): Promise<UserRecord> {
    const before = await requireTarget(context, id)
    const names = parseInput(ChangedNames, {
      ...(change.first_name !== before.firstName && { first_name: change.first_name }),
      ...(change.last_name !== before.lastName && { last_name: change.last_name }),
      ...(change.username !== before.username && { username: change.username }),
    })
    const email = change.email === before.email ? undefined : change.email
    if (email !== undefined) assertNotSelf(context.user, before, 'email')
    const address = email === undefined ? undefined : parseInput(NewEmail, email, 'email')
    const changed = await users.rename(id, {
      ...(names.first_name !== undefined && { firstName: names.first_name }),
      ...(names.last_name !== undefined && { lastName: names.last_name }),
      ...(names.username !== undefined && { username: names.username }),
    })
    const renamed = Object.entries(names).filter(([, value]) => value !== undefined)
    // Recorded separately, because the address may still turn out to be taken.
    if (renamed.length > 0) await recordAction(context, 'update', before, renamed.map(([name]) => name).join(', '))
    return address === undefined ? changed : deps.emailChanges.request(context, before, address)
  }

  /**
   * Removes the factors of a lost phone, including passkeys: the user signs in with only the password and sets up another factor where one
   * is required.
   */
  async function resetTwoFactor(context: AdminActionContext, id: string, reason: string): Promise<UserRecord> {
    const target = await requireTarget(context, id)
    assertNotSelf(context.user, target, 'two_factor')
    if (!target.twoFactor && !target.hasPasskey) throw new AppError('conflict', '2FA is not enabled for this user')
    const { user: actor, origin } = context
    const disable = (closure: NonNullable<UserRecord['libraryClosure']>) => deps.twoFactor.disable(id, closure)
    await deps.closedLibraries.close(target, { reason: 'two_factor', actor, origin }, disable)
    await deps.passkeys.removeAll(id)
    await deps.twoFactorChange.announce(target, 'disable', { origin, actor })
    await recordAction(context, 'reset_2fa', target, reason)
    return users.get(id)
  }

  async function recordAction(
    context: AdminActionContext,
    action: string,
    target: UserRecord,
    details: string,
  ): Promise<void> {
    const entry = { action: `admin.${action}`, outcome: 'success' as const, actor: context.user, target: target.email }
    await audit.record({ ...entry, details }, context.origin)
  }

  return { update, resetTwoFactor }
}

export type AdminEditService = ReturnType<typeof createAdminEdit>
