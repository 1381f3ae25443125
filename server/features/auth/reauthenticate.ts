import { AppError } from '#contract/app-error.ts'
import type { UserDoc } from '#data/users/user-model.ts'
import type { AuthSession, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import type { TwoFactorService } from '../two-factor/service.ts'
import type { Lockouts } from './lockouts.ts'
import type { PasswordHasher } from './password-hasher.ts'

interface ReauthenticateDeps {
  hasher: PasswordHasher
  lockouts: Lockouts
  twoFactor: TwoFactorService
  audit: Audit
}

/** Who is asked again, in which session. */
export interface ReauthenticationRequest {
  user: UserDoc
  session: Pick<AuthSession, 'id'>
  origin: RequestOrigin
}

const authenticatorShape = /^\d{6}$/
const wrongCodeMessage = 'Invalid verification code. Please try again.'

/**
 * Asks a signed-in user for the password or a code again. Failures lock as those of sign-in do, but the session alone: a stolen
 * session cannot be used to guess, and a stranger's wrong passwords do not reach an open session. They are 400, never 401: the
 * client would refresh, retry and sign out.
 */
export function createReauthenticate({ hasher, lockouts, twoFactor, audit }: ReauthenticateDeps) {
  async function counted(
    { user, session, origin }: ReauthenticationRequest,
    action: string,
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    const attempt = await lockouts.begin(user.email, { session: session.id })
    const isRight = await check()
    if (isRight) await attempt.withdraw()
    else {
      const actor = { id: user._id.toHexString(), email: user.email }
      await audit.record({ action, outcome: 'failure', actor }, origin)
    }
    return isRight
  }

  /** @throws AppError `wrong_password` or `account_locked` */
  async function byPassword(asked: ReauthenticationRequest, password: string): Promise<void> {
    const { user, origin } = asked
    const requester = { address: origin.ip, account: user._id.toHexString() }
    const isRight = await hasher.inTurn(requester, (direct) =>
      counted(asked, 'profile.password_check', () => direct.verify(password, user.passwordHash)),
    )
    if (!isRight) throw new AppError('wrong_password', 'Current password is incorrect')
  }

  /** A code of the authenticator app; `take` says what a right one does. @throws AppError `wrong_code` or `account_locked` */
  async function byCode(
    asked: ReauthenticationRequest,
    code: string,
    take: () => Promise<boolean> = () => twoFactor.takeTotp(asked.user, code),
  ): Promise<void> {
    if (!authenticatorShape.test(code)) throw invalidInput(['Please enter a 6-digit verification code'])
    const isRight = await counted(asked, 'profile.code_check', take)
    if (!isRight) throw new AppError('wrong_code', wrongCodeMessage)
  }

  return { byPassword, byCode }
}
