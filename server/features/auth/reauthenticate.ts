import { AppError } from '#contract/app-error.ts'
import type { UserDoc } from '#data/accounts/user-model.ts'
import type { RequestOrigin } from '#server/http/context.ts'
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

const authenticatorShape = /^\d{6}$/
const wrongCodeMessage = 'Invalid verification code. Please try again.'

/**
 * Asks a signed-in user for the password or a code again. Failures count towards the same lock as failed sign-ins, so that a
 * stolen session cannot be used to guess. They are 400, never 401: the client would refresh, retry and sign out.
 */
export function createReauthenticate({ hasher, lockouts, twoFactor, audit }: ReauthenticateDeps) {
  async function counted(
    user: UserDoc,
    action: string,
    origin: RequestOrigin,
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    const attempt = await lockouts.begin(user.email)
    const isRight = await check()
    if (isRight) await attempt.withdraw()
    else {
      const actor = { id: user._id.toHexString(), email: user.email }
      await audit.record({ action, outcome: 'failure', actor }, origin)
    }
    return isRight
  }

  /** @throws AppError `wrong_password` or `account_locked` */
  async function byPassword(user: UserDoc, password: string, origin: RequestOrigin): Promise<void> {
    const isRight = await counted(user, 'profile.password_check', origin, () =>
      hasher.verify(password, user.passwordHash),
    )
    if (!isRight) throw new AppError('wrong_password', 'Current password is incorrect')
  }

  /** A code of the authenticator app; `take` says what a right one does. @throws AppError `wrong_code` or `account_locked` */
  async function byCode(
    user: UserDoc,
    code: string,
    origin: RequestOrigin,
    take: () => Promise<boolean> = () => twoFactor.takeTotp(user, code),
  ): Promise<void> {
    if (!authenticatorShape.test(code)) throw invalidInput(['Please enter a 6-digit verification code'])
    const isRight = await counted(user, 'profile.code_check', origin, take)
    if (!isRight) throw new AppError('wrong_code', wrongCodeMessage)
  }

  return { byPassword, byCode }
}
