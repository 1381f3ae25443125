import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { AppContext, AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Audit } from '../audit/service.ts'
import type { SessionCookies } from '../sessions/cookies.ts'
import type { Tokens } from '../sessions/tokens.ts'
import type { Users } from '../users/service.ts'
import type { TwoFactorChange } from './change.ts'
import { assertCodeShape } from './reauthenticate.ts'
import type { TwoFactorService } from './service.ts'

interface RegistrationTwoFactorDeps {
  users: Pick<Users, 'findById'>
  cookies: Pick<SessionCookies, 'readProof' | 'clearProof'>
  tokens: Pick<Tokens, 'read'>
  twoFactor: Pick<TwoFactorService, 'beginSetup' | 'confirmSetup'>
  twoFactorChange: TwoFactorChange
  audit: Pick<Audit, 'record'>
}

/**
 * Mounts the two-factor setup right after the e-mail address was verified. The calls carry only a user id, so they need the proof cookie
 * that the response to the verification set in this browser.
 */
export function mountRegistrationTwoFactor(router: AppRouter, deps: RegistrationTwoFactorDeps): void {
  const { cookies, tokens, users, twoFactor, twoFactorChange, audit } = deps

  async function requireProof(ctx: AppContext, userId: string): Promise<UserRecord> {
    const proof = cookies.readProof(ctx)
    const claims = proof ? tokens.read('registration', proof) : undefined
    const user = claims?.userId === userId ? await users.findById(userId) : undefined
    if (!user?.isActive) {
      throw new AppError('registration_proof_missing', 'Your registration session has expired.', {
        help: 'Sign in to finish setting up two-factor authentication.',
      })
    }
    // A passkey is a second factor too: someone who reads the owner's mail must not be able to add another.
    if (user.twoFactor || user.hasPasskey)
      throw new AppError('two_factor_enabled', '2FA is already enabled for this user')
    return user
  }

  route(router, api.auth.setUpRegistrationTwoFactor, async ({ body, origin, ctx }) => {
    const user = await requireProof(ctx, body.user_id)
    return twoFactor.beginSetup(user, origin.ip, body)
  })

  route(router, api.auth.verifyRegistrationTwoFactor, async ({ body, origin, ctx }) => {
    const user = await requireProof(ctx, body.user_id)
    assertCodeShape(user, body.totp_token)
    const isRight = await twoFactor.confirmSetup(user, body.totp_token, origin.ip)
    if (!isRight) {
      await audit.record({ action: 'two_factor.enable', outcome: 'failure', actor: user }, origin)
      throw new AppError('wrong_code', 'Invalid verification code. Please try again.')
    }
    await twoFactorChange.announce(user, 'enable', { origin })
    cookies.clearProof(ctx)
    return { message: '2FA verification successful!' }
  })
}
