import { Types, type Connection } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { verificationModel } from '#data/proofs/verification-model.ts'
import type { UserDoc } from '#data/users/user-model.ts'
import type { Clock } from '#data/clock.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import type { Mail } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Outbox } from '../mail/outbox.ts'
import { verificationMail } from '../mail/templates/account-mails.ts'
import { hashToken, randomToken } from '../sessions/tokens.ts'
import type { Users } from '../users/service.ts'
import type { PasswordRules } from './password-rules.ts'

/** Accounts specification, section 9. */
const linkLifetimeMs = 24 * 60 * 60_000

interface RegistrationDeps {
  connection: Connection
  clock: Clock
  publicUrl: string
  users: Users
  passwordRules: PasswordRules
  mailer: Mailer
  outbox: Outbox
  audit: Audit
}

interface SignUpRequest {
  email: string
  username: string
  password: string
  first_name: string
  last_name: string
}

/** Registering an account and proving its e-mail address. */
export function createRegistration(deps: RegistrationDeps) {
  const { connection, clock, publicUrl, users, mailer, outbox, audit } = deps
  const verifications = verificationModel(connection)

  async function signUp(request: SignUpRequest, origin: RequestOrigin): Promise<UserDoc> {
    const owner = {
      email: request.email,
      username: request.username,
      firstName: request.first_name,
      lastName: request.last_name,
    }
    const faults = await deps.passwordRules.faults('registration', request.password, owner)
    if (faults.length > 0) throw invalidInput(faults, 'password')
    const state = { role: 'user' as const, isActive: true, isVerified: false }
    const user = await users.create({ ...owner, ...state, password: request.password }, origin)
    mailer.enqueue(() => makeMail(user))
    const actor = { id: user._id.toHexString(), email: user.email }
    await audit.record({ action: 'auth.signup', outcome: 'success', actor }, origin)
    return user
  }

  /**
   * Mails a new link to an unverified account. The caller cannot tell whether there is one: the work begins after the answer and is
   * the same in the database, where a link that nobody gets expires.
   */
  function resend(email: string, answered: Promise<void>): void {
    mailer.enqueue(async () => {
      const user = await users.findByEmail(email)
      if (user && user.isActive && !user.isVerified) return makeMail(user)
      await createLink({ _id: new Types.ObjectId(), email })
      return undefined
    }, answered)
  }

  /** Mails a link to an address that an administrator entered. */
  function sendLink(user: UserDoc): void {
    mailer.enqueue(() => makeMail(user))
  }

  async function createLink({
    _id,
    email,
  }: Pick<UserDoc, '_id' | 'email'>): Promise<{ token: string; expiresAt: Date }> {
    const token = randomToken()
    const expiresAt = new Date(clock.now() + linkLifetimeMs)
    await verifications.create({ _id: hashToken(token), userId: _id, email, expiresAt })
    return { token, expiresAt }
  }

  async function makeMail(user: UserDoc): Promise<Mail> {
    const { token, expiresAt } = await createLink(user)
    return {
      ...verificationMail(user, { publicUrl, token }),
      to: user.email,
      userId: user._id.toHexString(),
      purpose: 'verification',
      expiresAt,
    }
  }

  /** Uses up a link. @throws AppError `invalid_input` when it is unknown, used or expired */
  async function verify(token: string, origin: RequestOrigin): Promise<UserDoc> {
    const now = new Date(clock.now())
    const found = await verifications.findOneAndDelete({ _id: hashToken(token), expiresAt: { $gt: now } }).lean()
    const known = found && (await users.findById(found.userId.toHexString()))
    // A link proves the address it was sent to, which an administrator may have changed meanwhile. Links of before name none.
    const isOfAddress = !found?.email || found.email === known?.email
    if (!found || !known || !isOfAddress) {
      await audit.record({ action: 'auth.verify_email', outcome: 'failure' }, origin)
      throw new AppError('invalid_input', 'This verification link is invalid or has expired.', {
        help: 'Sign in to have a new link sent.',
      })
    }
    const user = await users.update(known._id.toHexString(), { isVerified: true })
    await forget(known._id)
    const actor = { id: known._id.toHexString(), email: known.email }
    await audit.record({ action: 'auth.verify_email', outcome: 'success', actor }, origin)
    return user
  }

  /** Voids the links of a user. */
  async function forget(userId: Types.ObjectId): Promise<void> {
    await verifications.deleteMany({ userId })
    await outbox.removeFor(userId.toHexString(), 'verification')
  }

  return { signUp, resend, sendLink, verify, forget }
}

export type Registration = ReturnType<typeof createRegistration>
