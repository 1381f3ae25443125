import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { Types, type Connection } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { passwordResetModel, type PasswordResetDoc } from '#data/proofs/password-reset-model.ts'
import type { UserDoc } from '#data/users/user-model.ts'
import type { Clock } from '#data/clock.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import type { Mail } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Outbox } from '../mail/outbox.ts'
import { passwordResetMail } from '../mail/templates/account-mails.ts'
import { hashToken, randomToken } from '../sessions/tokens.ts'
import type { Users } from '../users/service.ts'
import type { PasswordOwner } from './guessable-words.ts'
import type { PasswordChange } from './password-change.ts'
import type { PasswordRules } from './password-rules.ts'

/** Accounts specification, section 9. */
const lifetimeMs = 10 * 60_000
const mostTries = 5
const codeShape = /^\d{6}$/

interface ResetDeps {
  connection: Connection
  clock: Clock
  codeKey: Buffer
  publicUrl: string
  users: Users
  passwordRules: PasswordRules
  passwordChange: PasswordChange
  mailer: Mailer
  outbox: Outbox
  audit: Audit
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

/** Resetting a forgotten password by a mailed 6-digit code or link. Never says whether an account exists; never skips 2FA. */
export function createPasswordReset(deps: ResetDeps) {
  const resets = passwordResetModel(deps.connection)

  function hashCode(userId: Types.ObjectId, code: string): string {
    return createHmac('sha256', deps.codeKey).update(`reset:${userId.toHexString()}:${code}`).digest('base64url')
  }

  /**
   * Whose reset an address asks for: its active account, else nobody's, whose code no mail carries. Nobody's has an id too, so
   * that asking and guessing do the same in the database for every address.
   */
  async function findOwner(email: string): Promise<{ userId: Types.ObjectId; user: UserDoc | undefined }> {
    const user = await deps.users.findByEmail(email)
    if (user?.isActive) return { userId: user._id, user }
    const digest = createHmac('sha256', deps.codeKey).update(`nobody:${email}`).digest()
    return { userId: new Types.ObjectId(digest.subarray(0, 12)), user: undefined }
  }

  /** Mails a code and a link where there is an account; the work begins after the answer. */
  async function request(email: string, origin: RequestOrigin, answered: Promise<void>): Promise<void> {
    deps.mailer.enqueue(async () => {
      const { userId, user } = await findOwner(email)
      const proof = await createProof(userId)
      return user && makeMail(user, proof)
    }, answered)
    await deps.audit.record({ action: 'auth.forgot_password', outcome: 'success', actor: { email } }, origin)
  }

  async function createProof(userId: Types.ObjectId): Promise<Proof> {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const token = randomToken()
    const expiresAt = new Date(deps.clock.now() + lifetimeMs)
    const fields = { codeHash: hashCode(userId, code), tokenHash: hashToken(token), tries: 0, expiresAt }
    await resets.findOneAndUpdate({ _id: userId }, { $set: fields }, { upsert: true })
    await deps.outbox.removeFor(userId.toHexString(), 'password_reset')
    return { code, token, expiresAt }
  }

  function makeMail(user: UserDoc, { code, token, expiresAt }: Proof): Mail {
    const mail = passwordResetMail(user, { publicUrl: deps.publicUrl, token, code })
    return { ...mail, to: user.email, userId: user._id.toHexString(), purpose: 'password_reset', expiresAt }
  }

  /**
   * Checks a code; a wrong one uses up one of five tries, a right one none. The try is counted before the comparison, so that
   * simultaneous guesses cannot outrun the count. @throws AppError `wrong_code`
   */
  async function checkCode(
    { email, code }: CodeProof,
    origin: RequestOrigin,
    answered: Promise<void>,
  ): Promise<UserDoc> {
    if (!codeShape.test(code)) throw invalidInput(['Please enter a valid 6-digit code'])
    const { userId, user } = await findOwner(email)
    const given = hashCode(userId, code)
    const reset = await resets
      .findOneAndUpdate(
        { _id: userId, tries: { $lt: mostTries }, expiresAt: { $gt: new Date(deps.clock.now()) } },
        { $inc: { tries: 1 } },
        { returnDocument: 'after' },
      )
      .lean<PasswordResetDoc>()
    const isRight = reset !== null && timingSafeEqual(Buffer.from(reset.codeHash), Buffer.from(given))
    if (user && isRight) {
      await resets.updateOne({ _id: userId, codeHash: reset.codeHash }, { $inc: { tries: -1 } })
      return user
    }
    if (reset && reset.tries >= mostTries) await voidCode(userId, answered)
    await deps.audit.record({ action: 'auth.reset_code', outcome: 'failure', actor: { email } }, origin)
    throw wrongCode()
  }

  /** The mail, which only an account has, goes after the answer. */
  async function voidCode(userId: Types.ObjectId, answered: Promise<void>): Promise<void> {
    await resets.deleteOne({ _id: userId })
    deps.mailer.enqueue(async () => {
      await deps.outbox.removeFor(userId.toHexString(), 'password_reset')
      return undefined
    }, answered)
  }

  async function checkToken(token: string, origin: RequestOrigin): Promise<UserDoc> {
    const now = new Date(deps.clock.now())
    const reset = await resets
      .findOne({ tokenHash: hashToken(token), expiresAt: { $gt: now } })
      .lean<PasswordResetDoc>()
    const user = reset && (await deps.users.findById(reset._id.toHexString()))
    if (user?.isActive) return user
    await deps.audit.record({ action: 'auth.reset_link', outcome: 'failure' }, origin)
    throw new AppError('wrong_code', 'This reset link is invalid or has expired.')
  }

  /**
   * Sets the password, uses up code and link, ends all sessions. The password's rules come first and cost no try; those that would
   * tell a stranger the names of the account come after the proof, which stays good.
   */
  async function reset(
    proof: CodeProof | { token: string },
    newPassword: string,
    origin: RequestOrigin,
    answered: Promise<void>,
  ): Promise<void> {
    await requireGoodPassword(newPassword, {})
    const user = 'token' in proof ? await checkToken(proof.token, origin) : await checkCode(proof, origin, answered)
    await requireGoodPassword(newPassword, user)
    const { deletedCount } = await resets.deleteOne({ _id: user._id })
    if (deletedCount === 0) throw wrongCode()
    await deps.outbox.removeFor(user._id.toHexString(), 'password_reset')
    await deps.passwordChange.apply(user, newPassword, { mustChange: false, origin })
    const actor = { id: user._id.toHexString(), email: user.email }
    await deps.audit.record({ action: 'auth.reset_password', outcome: 'success', actor }, origin)
  }

  async function requireGoodPassword(password: string, owner: PasswordOwner): Promise<void> {
    const faults = await deps.passwordRules.faults('reset', password, owner)
    if (faults.length > 0) throw invalidInput(faults)
  }

  /** Voids the running reset of a user. */
  async function voidReset(userId: Types.ObjectId): Promise<void> {
    await resets.deleteOne({ _id: userId })
    await deps.outbox.removeFor(userId.toHexString(), 'password_reset')
  }

  return { request, checkCode, reset, voidReset }
}

export type PasswordReset = ReturnType<typeof createPasswordReset>
