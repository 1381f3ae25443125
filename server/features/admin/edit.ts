import { AppError } from '#contract/app-error.ts'
import { ChangedNames, NewEmail } from '#contract/names.ts'
import type { Clock } from '#data/clock.ts'
import type { UserDoc } from '#data/users/user-model.ts'
import { parseInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import type { PasswordReset } from '../auth/password-reset.ts'
import type { Registration } from '../auth/registration.ts'
import { noticeLifetimeMs } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { emailChangedMail } from '../mail/templates/account-mails.ts'
import type { Sessions } from '../sessions/service.ts'
import type { TwoFactorChange } from '../two-factor/change.ts'
import type { TwoFactorService } from '../two-factor/service.ts'
import type { Users } from '../users/service.ts'
import { assertCanManage, assertNotSelf } from './policy.ts'
import type { Acting } from './service.ts'

interface AdminEditDeps {
  users: Users
  sessions: Sessions
  twoFactor: TwoFactorService
  twoFactorChange: TwoFactorChange
  registration: Registration
  passwordReset: PasswordReset
  mailer: Mailer
  audit: Audit
  clock: Clock
}

interface UserChange {
  first_name?: string | undefined
  last_name?: string | undefined
  username?: string | undefined
  email?: string | undefined
}

/** What admins change in the account of somebody else: names, address, a lost second factor. */
export function createAdminEdit(deps: AdminEditDeps) {
  const { users, audit } = deps

  async function requireTarget(acting: Acting, id: string): Promise<UserDoc> {
    const target = await users.get(id)
    assertCanManage(acting.user, target)
    return target
  }

  /** Only what differs is checked: an account of before the rules keeps its names. */
  async function update(acting: Acting, id: string, change: UserChange): Promise<UserDoc> {
    const before = await requireTarget(acting, id)
    const names = parseInput(ChangedNames, {
      ...(change.first_name !== before.firstName && { first_name: change.first_name }),
      ...(change.last_name !== before.lastName && { last_name: change.last_name }),
      ...(change.username !== before.username && { username: change.username }),
    })
    const email = change.email === before.email ? undefined : change.email
    if (email !== undefined) assertNotSelf(acting.user, before, 'email')
    const address = email === undefined ? undefined : parseInput(NewEmail, email, 'email')
    let changed = await users.rename(id, {
      ...(names.first_name !== undefined && { firstName: names.first_name }),
      ...(names.last_name !== undefined && { lastName: names.last_name }),
      ...(names.username !== undefined && { username: names.username }),
    })
    if (address !== undefined) changed = await changeEmail(before, address)
    const fields = Object.entries({ ...names, email: address }).filter(([, value]) => value !== undefined)
    const details = fields.map(([name, value]) => (name === 'email' ? `email to ${value}` : name)).join(', ')
    if (details) await note(acting, 'update', before, details)
    return changed
  }

  /** Links and codes that went to the old address are void, and whoever reads it learns of the change. */
  async function changeEmail(before: UserDoc, email: string): Promise<UserDoc> {
    const id = before._id.toHexString()
    const changed = await users.changeEmail(id, email)
    await deps.registration.forget(before._id)
    await deps.passwordReset.voidReset(before._id)
    await deps.sessions.endAll(id)
    deps.registration.sendLink(changed)
    deps.mailer.enqueue(async () => ({
      ...emailChangedMail(before),
      to: before.email,
      userId: id,
      purpose: 'notice',
      expiresAt: new Date(deps.clock.now() + noticeLifetimeMs),
    }))
    return changed
  }

  /** For a lost phone: the user signs in by password alone, and sets a new factor up where the server asks for one. */
  async function resetTwoFactor(acting: Acting, id: string, reason: string): Promise<UserDoc> {
    const target = await requireTarget(acting, id)
    assertNotSelf(acting.user, target, 'two_factor')
    if (!target.twoFactor) throw new AppError('conflict', '2FA is not enabled for this user')
    await deps.twoFactor.disable(target._id)
    await deps.twoFactorChange.announce(target, 'disable', { origin: acting.origin, actor: acting.user })
    await note(acting, 'reset_2fa', target, reason)
    return users.get(id)
  }

  async function note(acting: Acting, action: string, target: UserDoc, details: string): Promise<void> {
    const entry = { action: `admin.${action}`, outcome: 'success' as const, actor: acting.user, target: target.email }
    await audit.record({ ...entry, details }, acting.origin)
  }

  return { update, resetTwoFactor }
}
