import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import type { Clock } from '#data/clock.ts'
import type { UserDoc } from '#data/users/user-model.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import type { StartedSession } from '../sessions/issue.ts'
import type { Sessions } from '../sessions/service.ts'
import type { RateLimiter } from '../system/rate-limiter.ts'
import { isCodeShaped, malformedCodeMessage, type TwoFactorService } from '../two-factor/service.ts'
import type { Users } from '../users/service.ts'
import type { KnownDevices } from './known-devices.ts'
import type { Attempt, AttemptOrigin, Lockouts } from './lockouts.ts'
import type { DirectHasher, PasswordHasher } from './password-hasher.ts'
import { createSignInRecord } from './sign-in-record.ts'
import { isExpired, letsIn, passwordExpired } from './temporary-password.ts'

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
  /** Value of the account's device cookie, where one came. */
  deviceToken: string | undefined
}

interface SignInDeps {
  config: Config
  clock: Clock
  users: Users
  hasher: PasswordHasher
  lockouts: Lockouts
  devices: KnownDevices
  limiter: RateLimiter
  twoFactor: TwoFactorService
  sessions: Sessions
  audit: Audit
}

export type SignInOutcome =
  | { kind: 'signed_in'; user: UserDoc; session: StartedSession; deviceToken: string }
  | { kind: 'requires_2fa'; userId: string }
  | { kind: 'requires_verification'; userId: string }

/** Signing in: accounts specification, section 4. What an account is or lacks is told only after the right password. */
export function createSignIn(deps: SignInDeps) {
  const { note, fail } = createSignInRecord(deps.audit)

  async function signIn(request: SignInRequest, context: SignInContext): Promise<SignInOutcome> {
    const code = request.totp_token || undefined
    if (code !== undefined && !isCodeShaped(code)) throw invalidInput([malformedCodeMessage])
    const requester = { address: context.origin.ip, account: request.email }
    return deps.hasher.inTurn(requester, (hasher) => signInNow({ ...request, code, hasher }, context))
  }

  async function signInNow(
    request: SignInRequest & { code: string | undefined; hasher: DirectHasher },
    context: SignInContext,
  ): Promise<SignInOutcome> {
    const { code, hasher } = request
    const { origin } = context
    await countCall(origin)
    const user = await deps.users.findByEmail(request.email)
    const device = await deps.devices.recognize(user?._id, context.deviceToken)
    const attempt = await beginAttempt(user ?? { email: request.email }, device ? { device } : 'strangers', origin)
    const isRight = await hasher.verify(request.password, user?.passwordHash)
    if (!user || !isRight) return fail(user ?? { email: request.email }, 'wrong_password', origin)

    if (!user.isActive) {
      await attempt.withdraw()
      await note(user, 'denied', 'deactivated', origin)
      throw new AppError('account_deactivated', 'Your account has been deactivated. Please contact support.')
    }
    if (deps.config.signinRequiresVerified && !user.isVerified) {
      await attempt.withdraw()
      await note(user, 'denied', 'unverified', origin)
      return { kind: 'requires_verification', userId: user._id.toHexString() }
    }
    if (user.twoFactor && code === undefined) {
      await attempt.withdraw()
      return { kind: 'requires_2fa', userId: user._id.toHexString() }
    }
    if (user.twoFactor && code !== undefined && !(await deps.twoFactor.takeCode(user, code, origin.ip))) {
      return fail(user, 'wrong_code', origin)
    }
    if (!letsIn(user, deps.clock.now())) {
      await attempt.withdraw()
      await note(user, 'denied', 'password_expired', origin)
      throw passwordExpired()
    }
    return succeed(user, request, attempt, { ...context, deviceToken: device && context.deviceToken })
  }

  function countCall({ ip }: RequestOrigin): Promise<void> {
    const limit = deps.config.rates.signInPerMinute
    return deps.limiter.count({ name: 'signin', key: ip, limit, windowMs: minuteMs, message: tooManySignIns })
  }

  async function beginAttempt(
    who: UserDoc | { email: string },
    by: AttemptOrigin,
    origin: RequestOrigin,
  ): Promise<Attempt> {
    try {
      return await deps.lockouts.begin(who.email, by)
    } catch (error) {
      if (error instanceof AppError && error.code === 'account_locked') await note(who, 'denied', 'locked', origin)
      throw error
    }
  }

  async function succeed(
    user: UserDoc,
    request: SignInRequest & { hasher: DirectHasher },
    attempt: Attempt,
    { origin, isBrowser, deviceToken }: SignInContext,
  ): Promise<SignInOutcome> {
    const userId = user._id.toHexString()
    const session = await deps.sessions.start({ userId, isRemembered: request.remember_me, isBrowser, origin })
    if (!(await isStillRight(deps.users, user, request))) {
      await deps.sessions.end(userId, session.sessionId)
      return fail(user, 'changed_meanwhile', origin)
    }
    await attempt.succeed()
    if (deps.hasher.isOutdated(user.passwordHash)) {
      await deps.users.replaceHash(user, await request.hasher.hash(request.password))
    }
    const changed = await deps.users.update(userId, {
      lastLoginAt: new Date(deps.clock.now()),
      ...(isExpired(user, deps.clock.now()) && { mustChangePassword: true }),
      twoFactorGrace: user.twoFactorGrace === 'next_sign_in' ? 'running' : null,
    })
    await note(user, 'success', '', origin)
    return {
      kind: 'signed_in',
      user: changed,
      session,
      deviceToken: await deps.devices.remember(user._id, deviceToken),
    }
  }

  return signIn
}

/**
 * Whether what was checked still holds once the session exists. Who changes a password, a second factor or a state first writes it
 * and then ends the sessions, so a sign-in under way at that moment is found by one of the two.
 */
async function isStillRight(
  users: Users,
  user: UserDoc,
  { password, hasher }: { password: string; hasher: DirectHasher },
): Promise<boolean> {
  const now = await users.findById(user._id.toHexString())
  if (!now?.isActive || now.twoFactor?.secret !== user.twoFactor?.secret) return false
  return now.passwordHash === user.passwordHash || hasher.verify(password, now.passwordHash)
}
