import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import { newId } from '#data/ids.ts'
import type { VerificationRepository } from '#data/proofs/verifications.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'
import type { Audit } from '../audit/service.ts'
import type { Mail } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Outbox } from '../mail/outbox.ts'
import { verificationMail } from '../mail/templates/account-mails.ts'
import type { Users } from '../users/service.ts'
import type { PasswordPolicy } from './password-policy.ts'

/** Accounts specification, section 9. */
const linkLifetimeMs = 24 * 60 * 60_000

interface RegistrationDeps {
  verifications: VerificationRepository
  clock: Clock
  publicUrl: string
  users: Pick<Users, 'create' | 'findByEmail' | 'findById' | 'update'>
  passwordPolicy: PasswordPolicy
  mailer: Pick<Mailer, 'enqueue'>
  outbox: Pick<Outbox, 'removeFor'>
  audit: Pick<Audit, 'record'>
}

interface SignUpRequest {
  email: string
  username: string
  password: string
  first_name: string
  last_name: string
}

/** Registers accounts and verifies their e-mail addresses. */
export function createRegistration(deps: RegistrationDeps) {
  const { verifications, clock, publicUrl, users, mailer, outbox, audit } = deps

  async function signUp(request: SignUpRequest, origin: RequestOrigin): Promise<UserRecord> {
    const owner = {
      email: request.email,
      username: request.username,
      firstName: request.first_name,
      lastName: request.last_name,
    }
    await deps.passwordPolicy.assertAllowed('registration', request.password, owner)
    const state = { role: 'user' as const, isActive: true, isVerified: false, language: origin.language }
    const user = await users.create({ ...owner, ...state, password: request.password }, origin)
    sendLink(user)
    await audit.record({ action: 'auth.signup', outcome: 'success', actor: user }, origin)
    return user
  }

  /**
   * Mails a new link to an unverified account. The caller cannot tell whether the account exists: the work starts after the response, and
   * a link is stored either way. One that is never sent simply expires.
   */
  function resend(email: string, responseSent: Promise<void>): void {
    mailer.enqueue(async () => {
      const user = await users.findByEmail(email)
      if (user && user.isActive && !user.isVerified) return createMail(user)
      await createLink({ id: newId(), email })
      return undefined
    }, responseSent)
  }

  /** Mails a link to the address of a user. */
  function sendLink(user: UserRecord): void {
    mailer.enqueue(() => createMail(user))
  }

  async function createLink({ id, email }: Pick<UserRecord, 'id' | 'email'>) {
    const token = randomToken()
    const expiresAt = new Date(clock.now() + linkLifetimeMs)
    await verifications.insert({ tokenHash: hashToken(token), ownerId: id, email, expiresAt })
    return { token, expiresAt }
  }

  async function createMail(user: UserRecord): Promise<Mail> {
    const { token, expiresAt } = await createLink(user)
    return {
      ...verificationMail(user, { publicUrl, token }),
      to: user.email,
      userId: user.id,
      purpose: 'verification',
      expiresAt,
    }
  }

  /** Consumes a link and marks its user as verified. Throws `invalid_input` when it is unknown, used or expired. */
  async function verify(token: string, origin: RequestOrigin): Promise<UserRecord> {
    const link = await verifications.consume(hashToken(token), new Date(clock.now()))
    const owner = link && (await users.findById(link.ownerId))
    // A link proves the address it was sent to, which an administrator may have changed since. Older links carry no address.
    const isForAddress = !link?.email || link.email === owner?.email
    if (!owner || !isForAddress) {
      await audit.record({ action: 'auth.verify_email', outcome: 'failure' }, origin)
      throw new AppError('invalid_input', 'This verification link is invalid or has expired.', {
        help: 'Sign in to have a new link sent.',
      })
    }
    const user = await users.update(owner.id, { isVerified: true })
    await voidLinks(owner.id)
    await audit.record({ action: 'auth.verify_email', outcome: 'success', actor: owner }, origin)
    return user
  }

  /** Voids all links of a user. */
  async function voidLinks(userId: string): Promise<void> {
    await verifications.removeByOwner(userId)
    await outbox.removeFor(userId, 'verification')
  }

  return { signUp, resend, sendLink, verify, voidLinks }
}

export type Registration = ReturnType<typeof createRegistration>
