import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import type { Clock } from '#data/clock.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { SignInAttempt, SignInAttemptOrigin, Lockouts } from '#server/security/lockouts.ts'
import type { DirectHasher, PasswordHasher } from '#server/security/password-hasher.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { Audit } from '../audit/service.ts'
import type { LibraryProofs } from '../closed-library/proofs.ts'
import type { StartedSession } from '../sessions/issue.ts'
import type { KnownDevices } from '../sessions/known-devices.ts'
import type { Sessions } from '../sessions/service.ts'
import { isSameFactor } from '../two-factor/same-factor.ts'
import { isCodeShaped, malformedCodeMessage, type TwoFactorService } from '../two-factor/service.ts'
import type { Users } from '../users/service.ts'
import { canSignInWithPassword, isPasswordExpired, passwordExpiredError } from './temporary-password.ts'

const minuteMs = 60_000
const tooManySignIns = 'Too many failed attempts. Please wait before trying again.'

interface SignInRequest {
  email: string
  password: string
  totp_token?: string | undefined
  remember_me: boolean
}

interface SignInContext {
  origin: RequestOrigin
  isBrowser: boolean
  /** Value of the account's device cookie, if the browser sent one. */
  deviceToken: string | undefined
}

interface SignInDeps {
  config: { signinRequiresVerified: boolean; rates: Pick<Config['rates'], 'signInPerMinute'> }
  clock: Clock
  users: Pick<Users, 'findByEmail' | 'findById' | 'replaceHash' | 'update'>
  hasher: Pick<PasswordHasher, 'runInTurn' | 'isOutdated'>
  lockouts: Pick<Lockouts, 'begin'>
  devices: Pick<KnownDevices, 'recognize' | 'remember'>
  limiter: Pick<RateLimiter, 'count'>
  twoFactor: Pick<TwoFactorService, 'consumeCode'>
  sessions: Pick<Sessions, 'start' | 'end'>
  libraryProofs: Pick<LibraryProofs, 'recognizeSignIn'>
  audit: Pick<Audit, 'record'>
}

export type SignInOutcome =
  | { kind: 'signed_in'; user: UserRecord; session: StartedSession; deviceToken: string }
  | { kind: 'requires_2fa'; userId: string; methods: ('code' | 'passkey')[] }
  | { kind: 'requires_verification'; userId: string }

type SignInFailure = 'wrong_password' | 'wrong_code' | 'changed_meanwhile'
/** The account, or the e-mail address that was tried if it has none. */
type SignInActor = UserRecord | { email: string }

/** Signs users in: accounts specification, section 4. The state of an account is revealed only after a correct password. */
export function createSignIn(deps: SignInDeps) {
  const { record, fail } = createSignInAudit(deps.audit)

  async function signIn(request: SignInRequest, context: SignInContext): Promise<SignInOutcome> {
    const code = request.totp_token || undefined
    if (code !== undefined && !isCodeShaped(code)) throw invalidInput([malformedCodeMessage])
    const requester = { address: context.origin.ip, account: request.email }
    return deps.hasher.runInTurn(requester, (hasher) => signInNow({ ...request, code, hasher }, context))
  }

  async function signInNow(
    request: SignInRequest & { code: string | undefined; hasher: DirectHasher },
    context: SignInContext,
  ): Promise<SignInOutcome> {
    const { code, hasher } = request
    const { origin } = context
    await countCall(origin)
    const user = await deps.users.findByEmail(request.email)
    const device = await deps.devices.recognize(user?.id, context.deviceToken)
    const attempt = await beginAttempt(user ?? { email: request.email }, device ? { device } : 'unknown_device', origin)
    const isRight = await hasher.verify(request.password, knownHash(user))
    if (!user || !isRight) return fail(user ?? { email: request.email }, 'wrong_password', origin)

    if (!user.isActive) {
      await attempt.withdraw()
      await record(user, 'denied', 'deactivated', origin)
      throw new AppError('account_deactivated', 'Your account has been deactivated. Please contact support.')
    }
    if (deps.config.signinRequiresVerified && !user.isVerified) {
      await attempt.withdraw()
      await record(user, 'denied', 'unverified', origin)
      return { kind: 'requires_verification', userId: user.id }
    }
    const hasCodes = user.twoFactor !== null
    if ((hasCodes || user.hasPasskey) && (code === undefined || !hasCodes)) {
      await attempt.withdraw()
      const methods = [...(hasCodes ? ['code' as const] : []), ...(user.hasPasskey ? ['passkey' as const] : [])]
      return { kind: 'requires_2fa', userId: user.id, methods }
    }
    if (user.twoFactor && code !== undefined && !(await deps.twoFactor.consumeCode(user, code, origin.ip))) {
      return fail(user, 'wrong_code', origin)
    }
    if (!canSignInWithPassword(user, deps.clock.now())) {
      await attempt.withdraw()
      await record(user, 'denied', 'password_expired', origin)
      throw passwordExpiredError()
    }
    return succeed(user, request, attempt, { ...context, deviceToken: device && context.deviceToken })
  }

  function countCall({ ip }: RequestOrigin): Promise<void> {
    const limit = deps.config.rates.signInPerMinute
    return deps.limiter.count({ name: 'signin', key: ip, limit, windowMs: minuteMs, message: tooManySignIns })
  }

  async function beginAttempt(
    actor: SignInActor,
    by: SignInAttemptOrigin,
    origin: RequestOrigin,
  ): Promise<SignInAttempt> {
    try {
      return await deps.lockouts.begin(actor.email, by)
    } catch (error) {
      if (error instanceof AppError && error.code === 'account_locked') await record(actor, 'denied', 'locked', origin)
      throw error
    }
  }

  async function succeed(
    user: UserRecord,
    request: SignInRequest & { hasher: DirectHasher },
    attempt: SignInAttempt,
    { origin, isBrowser, deviceToken }: SignInContext,
  ): Promise<SignInOutcome> {
    const userId = user.id
    const session = await deps.sessions.start({ userId, isRemembered: request.remember_me, isBrowser, origin })
    if (!(await isStillValid(deps.users, user, request))) {
      await deps.sessions.end(userId, session.sessionId)
      return fail(user, 'changed_meanwhile', origin)
    }
    await attempt.succeed()
    if (deps.hasher.isOutdated(user.passwordHash)) {
      await deps.users.replaceHash(user, await request.hasher.hash(request.password))
    }
    await deps.libraryProofs.recognizeSignIn({ user, session: { id: session.sessionId }, origin })
    const changed = await deps.users.update(userId, {
      lastLoginAt: new Date(deps.clock.now()),
      ...(isPasswordExpired(user, deps.clock.now()) && { mustChangePassword: true }),
    })
    await record(user, 'success', '', origin)
    return {
      kind: 'signed_in',
      user: changed,
      session,
      deviceToken: await deps.devices.remember(userId, deviceToken),
    }
  }

  return signIn
}

export type SignIn = ReturnType<typeof createSignIn>

/**
 * Returns whether what was checked still holds once the session exists. A change of password, second factor or state is written before it
 * ends the sessions, so a sign-in in progress is caught either by that or by this check.
 */
async function isStillValid(
  users: Pick<Users, 'findById'>,
  user: UserRecord,
  { password, hasher }: { password: string; hasher: DirectHasher },
): Promise<boolean> {
  const current = await users.findById(user.id)
  if (!current?.isActive || !isSameFactor(current.twoFactor, user.twoFactor)) return false
  if (current.hasPasskey === true && user.hasPasskey !== true) return false
  return current.passwordHash === user.passwordHash || hasher.verify(password, knownHash(current))
}

/** Returns the password hash if anybody can know the password; an account created by a provider has none that is known. */
function knownHash(user: UserRecord | undefined): string | undefined {
  return user?.hasPassword === false ? undefined : user?.passwordHash
}

/** Writes sign-ins to the audit trail. */
function createSignInAudit(audit: Pick<Audit, 'record'>) {
  async function record(
    actor: SignInActor,
    outcome: 'success' | 'failure' | 'denied',
    details: string,
    origin: RequestOrigin,
  ): Promise<void> {
    await audit.record({ action: 'auth.signin', outcome, actor, details }, origin)
  }

  /** Records a failure and throws `sign_in_failed`: the same error for an unknown e-mail address, a wrong password and a wrong code. */
  async function fail(actor: SignInActor, reason: SignInFailure, origin: RequestOrigin): Promise<never> {
    await record(actor, 'failure', reason, origin)
    throw new AppError('sign_in_failed', 'Invalid email or password')
  }

  return { record, fail }
}
