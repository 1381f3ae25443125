import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import type { Clock } from '#data/clock.ts'
import type { UserDoc } from '#data/accounts/user-model.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import type { StartedSession } from '../sessions/issue.ts'
import type { Sessions } from '../sessions/service.ts'
import { isCodeShaped, malformedCodeMessage, type TwoFactorService } from '../two-factor/service.ts'
import type { Users } from '../users/service.ts'
import type { Attempt, Lockouts } from './lockouts.ts'
import type { PasswordHasher } from './password-hasher.ts'

interface SignInRequest {
  email: string
  password: string
  totp_token?: string | undefined
  remember_me: boolean
}

interface SignInDeps {
  config: Config
  clock: Clock
  users: Users
  hasher: PasswordHasher
  lockouts: Lockouts
  twoFactor: TwoFactorService
  sessions: Sessions
  audit: Audit
}

export type SignInOutcome =
  | { kind: 'signed_in'; user: UserDoc; session: StartedSession }
  | { kind: 'requires_2fa'; userId: string }
  | { kind: 'requires_verification'; userId: string }

/** Signing in: accounts specification, section 4. What an account is or lacks is told only after the right password. */
export function createSignIn(deps: SignInDeps) {
  async function signIn(
    request: SignInRequest,
    { origin, isBrowser }: { origin: RequestOrigin; isBrowser: boolean },
  ): Promise<SignInOutcome> {
    const code = request.totp_token || undefined
    if (code !== undefined && !isCodeShaped(code)) throw invalidInput([malformedCodeMessage])
    const attempt = await beginAttempt(request.email, origin)
    const user = await deps.users.findByEmail(request.email)
    const isRight = await deps.hasher.verify(request.password, user?.passwordHash)
    if (!user || !isRight) return fail(request.email, user, 'wrong_password', origin)

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
    if (user.twoFactor && code !== undefined && !(await deps.twoFactor.takeCode(user, code))) {
      return fail(request.email, user, 'wrong_code', origin)
    }
    return succeed(user, request, attempt, { origin, isBrowser })
  }

  async function beginAttempt(email: string, origin: RequestOrigin): Promise<Attempt> {
    try {
      return await deps.lockouts.begin(email)
    } catch (error) {
      if (error instanceof AppError && error.code === 'account_locked') {
        const user = await deps.users.findByEmail(email)
        await note(user ?? { email }, 'denied', 'locked', origin)
      }
      throw error
    }
  }

  async function succeed(
    user: UserDoc,
    request: SignInRequest,
    attempt: Attempt,
    { origin, isBrowser }: { origin: RequestOrigin; isBrowser: boolean },
  ): Promise<SignInOutcome> {
    await attempt.succeed()
    const isOutdated = deps.hasher.isOutdated(user.passwordHash)
    const changed = await deps.users.update(user._id.toHexString(), {
      lastLoginAt: new Date(deps.clock.now()),
      ...(isOutdated && { passwordHash: await deps.hasher.hash(request.password) }),
    })
    const session = await deps.sessions.start({
      userId: user._id.toHexString(),
      isRemembered: request.remember_me,
      isBrowser,
      origin,
    })
    await note(user, 'success', '', origin)
    return { kind: 'signed_in', user: changed, session }
  }

  /** The answer is the same for an unknown e-mail, a wrong password and, but for its words, a wrong code. */
  async function fail(
    email: string,
    user: UserDoc | null,
    reason: 'wrong_password' | 'wrong_code',
    origin: RequestOrigin,
  ): Promise<never> {
    await note(user ?? { email }, 'failure', reason, origin)
    const message = reason === 'wrong_code' ? 'Invalid authentication code' : 'Invalid email or password'
    throw new AppError('sign_in_failed', message)
  }

  async function note(
    who: UserDoc | { email: string },
    outcome: 'success' | 'failure' | 'denied',
    details: string,
    origin: RequestOrigin,
  ): Promise<void> {
    const actor = '_id' in who ? { id: who._id.toHexString(), email: who.email } : { email: who.email }
    await deps.audit.record({ action: 'auth.signin', outcome, actor, details }, origin)
  }

  return signIn
}
