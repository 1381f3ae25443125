import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { InvitationRecord } from '#data/invitations/invitation-record.ts'
import type { InvitationRepository } from '#data/invitations/invitations.ts'
import type { UserAddresses } from '#data/users/user-addresses.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { hashToken } from '#server/security/opaque-tokens.ts'
import type { Audit } from '../audit/service.ts'
import type { PasswordPolicy } from '../auth/password-policy.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { SignInSettingsService } from '../sign-in-settings/service.ts'
import type { Users } from '../users/service.ts'
import { assertOpen } from './policy.ts'

interface AcceptanceDeps {
  invitations: Pick<InvitationRepository, 'findByToken' | 'accept'>
  addresses: Pick<UserAddresses, 'findTaken'>
  users: Pick<Users, 'create' | 'remove'>
  signInSettings: Pick<SignInSettingsService, 'current'>
  passwordPolicy: Pick<PasswordPolicy, 'assertAllowed'>
  outbox: Pick<Outbox, 'removeFor'>
  audit: Pick<Audit, 'record'>
  clock: Clock
  isBacked: (invitation: InvitationRecord) => Promise<boolean>
}

interface Acceptance {
  token: string
  username: string
  password: string
  first_name: string
  last_name: string
}

/** What invited people can do with their link. */
export function createAcceptance(deps: AcceptanceDeps) {
  const { invitations, addresses, users, outbox, audit, clock, isBacked } = deps

  /** Returns the pending invitation of a link. Throws `invitation_invalid`, the same error for every cause. */
  async function check(token: string): Promise<InvitationRecord> {
    const invitation = await invitations.findByToken(hashToken(token), new Date(clock.now()))
    if (!invitation || !(await isBacked(invitation))) throw invalid()
    const taken = await addresses.findTaken([invitation.email], { isVerified: true })
    if (taken.has(invitation.email)) throw invalid()
    return invitation
  }

  /**
   * Creates the account. `countAttempt` runs once the link and the password are accepted. If two requests run at once, one gets
   * `email_taken`, because the address is unique. If the invitation ends while the account is being created, the account is removed too.
   */
  async function accept(
    request: Acceptance,
    origin: RequestOrigin,
    countAttempt: () => Promise<void>,
  ): Promise<UserRecord> {
    assertOpen(await deps.signInSettings.current(), 'Please ask your administrator for an account.')
    const invitation = await check(request.token)
    const owner = {
      email: invitation.email,
      username: request.username,
      firstName: request.first_name || invitation.firstName,
      lastName: request.last_name || invitation.lastName,
    }
    await deps.passwordPolicy.assertAllowed('registration', request.password, owner)
    await countAttempt()
    const { role } = invitation
    const state = { role, isActive: true, isVerified: true, hasTwoFactorGrace: true, language: origin.language }
    const user = await users.create({ ...owner, ...state, password: request.password }, origin)
    const isAccepted = (await isBacked(invitation)) && (await invitations.accept(invitation, new Date(clock.now())))
    if (!isAccepted) {
      await users.remove(user.id)
      throw invalid()
    }
    await outbox.removeFor(invitation.id, 'invitation')
    const entry = { action: 'invitation.accept', outcome: 'success' as const, actor: user, target: user.email }
    await audit.record({ ...entry, details: role }, origin)
    return user
  }

  return { check, accept }
}

function invalid(): AppError {
  return new AppError('invitation_invalid', 'This invitation is no longer valid.', {
    help: 'If you have an account already, sign in. Otherwise ask who invited you for a new invitation.',
  })
}
