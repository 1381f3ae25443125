import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { PasswordResetRepository } from '#data/proofs/password-resets.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'
import type { Audit } from '../audit/service.ts'
import { createNotice, type Mail } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Outbox } from '../mail/outbox.ts'
import { passwordResetMail } from '../mail/templates/account-mails.ts'
import { organisationSignInMail } from '../mail/templates/organisation-sign-in.ts'
import type { Users } from '../users/service.ts'
import type { PasswordChange } from './password-change.ts'
import type { PasswordPolicy } from './password-policy.ts'

/** Accounts specification, section 9. */
const lifetimeMs = 10 * 60_000
const maxTries = 5
const codeShape = /^\d{6}$/

interface ResetDeps {
  resets: PasswordResetRepository
  clock: Clock
  codeKey: Buffer
  publicUrl: string
  users: Pick<Users, 'findByEmail' | 'findById'>
  passwordPolicy: PasswordPolicy
  passwordChange: PasswordChange
  mailer: Pick<Mailer, 'enqueue'>
  outbox: Pick<Outbox, 'removeFor'>
  audit: Pick<Audit, 'record'>
}

interface CodeProof {
  email: string
  code: string
}

interface Proof {
  code: string
  token: string
  expiresAt: Date
}

const wrongCode = () => new AppError('wrong_code', 'Invalid or expired code')

/** Resets a forgotten password with a 6-digit code or a link sent by mail. Never reveals whether an account exists; never skips 2FA. */
export function createPasswordReset(deps: ResetDeps) {
  const { resets } = deps

  function hashCode(userId: string, code: string): string {
    return createHmac('sha256', deps.codeKey).update(`reset:${userId}:${code}`).digest('base64url')
  }

  /**
   * Returns the active account of an address, if it has a password. Any other address yields an id derived from it and no user, so that
   * requests and guesses do the same work in the database for every address; no mail carries a code for such an id.
   */
  async function findOwner(email: string): Promise<{ userId: string; user?: UserRecord; passwordless?: UserRecord }> {
    const user = await deps.users.findByEmail(email)
    if (user?.isActive && user.hasPassword !== false) return { userId: user.id, user }
    const digest = createHmac('sha256', deps.codeKey).update(`nobody:${email}`).digest()
    return { userId: digest.subarray(0, 12).toString('hex'), ...(user?.isActive && { passwordless: user }) }
  }

  /**
   * Mails a code and a link if there is an account; the work begins after the response. People without a password get a mail that tells
   * them where to sign in.
   */
  async function request(email: string, origin: RequestOrigin, responseSent: Promise<void>): Promise<void> {
    deps.mailer.enqueue(async () => {
      const { userId, user, passwordless } = await findOwner(email)
      const proof = await createProof(userId)
      return user ? createMail(user, proof) : passwordless && createOrganisationNotice(passwordless)
    }, responseSent)
    await deps.audit.record({ action: 'auth.forgot_password', outcome: 'success', actor: { email } }, origin)
  }

  async function createProof(userId: string): Promise<Proof> {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const token = randomToken()
    const expiresAt = new Date(deps.clock.now() + lifetimeMs)
    const hashes = { codeHash: hashCode(userId, code), tokenHash: hashToken(token) }
    await resets.replace({ ...hashes, ownerId: userId, tries: 0, expiresAt })
    await deps.outbox.removeFor(userId, 'password_reset')
    return { code, token, expiresAt }
  }

  function createMail(user: UserRecord, { code, token, expiresAt }: Proof): Mail {
    const mail = passwordResetMail(user, { publicUrl: deps.publicUrl, token, code })
    return { ...mail, to: user.email, userId: user.id, purpose: 'password_reset', expiresAt }
  }

  function createOrganisationNotice(user: UserRecord): Mail {
    const mail = organisationSignInMail(user, { url: `${deps.publicUrl}/login` })
    return createNotice(mail, user, deps.clock)
  }

  /**
   * Checks a code. A wrong code uses up one of five tries, a right one none. The try is counted before the comparison, so that simultaneous
   * guesses cannot outrun the count. Throws `wrong_code`.
   */
  async function checkCode(
    { email, code }: CodeProof,
    origin: RequestOrigin,
    responseSent: Promise<void>,
  ): Promise<UserRecord> {
    if (!codeShape.test(code)) throw invalidInput(['Please enter a valid 6-digit code'])
    const { userId, user } = await findOwner(email)
    const given = hashCode(userId, code)
    const reset = await resets.countTry(userId, { maxTries, now: new Date(deps.clock.now()) })
    const isRight = reset !== undefined && timingSafeEqual(Buffer.from(reset.codeHash), Buffer.from(given))
    if (user && isRight) {
      await resets.uncountTry(reset)
      return user
    }
    if (reset && reset.tries >= maxTries) await voidCode(userId, responseSent)
    await deps.audit.record({ action: 'auth.reset_code', outcome: 'failure', actor: { email } }, origin)
    throw wrongCode()
  }

  /** Voids a code. Its mail, which exists only for an account, is removed after the response. */
  async function voidCode(userId: string, responseSent: Promise<void>): Promise<void> {
    await resets.remove(userId)
    deps.mailer.enqueue(async () => {
      await deps.outbox.removeFor(userId, 'password_reset')
      return undefined
    }, responseSent)
  }

  async function checkToken(token: string, origin: RequestOrigin): Promise<UserRecord> {
    const reset = await resets.findByToken(hashToken(token), new Date(deps.clock.now()))
    const user = reset && (await deps.users.findById(reset.ownerId))
    if (user?.isActive && user.hasPassword !== false) return user
    await deps.audit.record({ action: 'auth.reset_link', outcome: 'failure' }, origin)
    throw new AppError('wrong_code', 'This reset link is invalid or has expired.')
  }

  /**
   * Sets the password, voids code and link, and ends all sessions. Password rules are checked first and cost no try; rules that would
   * reveal the names of the account are checked after the proof, which stays valid.
   */
  async function reset(
    proof: CodeProof | { token: string },
    newPassword: string,
    origin: RequestOrigin,
    responseSent: Promise<void>,
  ): Promise<void> {
    await deps.passwordPolicy.assertAllowed('reset', newPassword, {})
    const user = 'token' in proof ? await checkToken(proof.token, origin) : await checkCode(proof, origin, responseSent)
    await deps.passwordPolicy.assertAllowed('reset', newPassword, user)
    if (!(await resets.remove(user.id))) throw wrongCode()
    await deps.outbox.removeFor(user.id, 'password_reset')
    await deps.passwordChange.apply(user, newPassword, { mustChange: false, origin })
    await deps.audit.record({ action: 'auth.reset_password', outcome: 'success', actor: user }, origin)
  }

  /** Voids a user's pending reset. */
  async function voidReset(userId: string): Promise<void> {
    await resets.remove(userId)
    await deps.outbox.removeFor(userId, 'password_reset')
  }

  return { request, checkCode, reset, voidReset }
}

export type PasswordReset = ReturnType<typeof createPasswordReset>
