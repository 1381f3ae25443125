import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { UserDoc } from '#data/users/user-model.ts'
import type { AppContext, AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Services } from '#server/services.ts'

/**
 * Two-factor setup right after the e-mail was verified. The calls name only a user id, so they need the proof cookie that the
 * verification answer set in this browser.
 */
export function mountRegistrationTwoFactor(router: AppRouter, services: Services): void {
  const { cookies, tokens, users, twoFactor, twoFactorChange, audit } = services

  async function requireProof(ctx: AppContext, userId: string): Promise<UserDoc> {
    const proof = cookies.readProof(ctx)
    const claims = proof ? tokens.read('registration', proof) : undefined
    const user = claims?.userId === userId ? await users.findById(userId) : null
    if (!user?.isActive) {
      throw new AppError('registration_proof_missing', 'Your registration session has expired.', {
        help: 'Sign in to finish setting up two-factor authentication.',
      })
    }
    if (user.twoFactor) throw new AppError('two_factor_enabled', '2FA is already enabled for this user')
    return user
  }

  route(router, api.auth.setUpRegistrationTwoFactor, async ({ body, origin, ctx }) => {
    const user = await requireProof(ctx, body.user_id)
    return twoFactor.begin(user, origin.ip)
  })

  route(router, api.auth.verifyRegistrationTwoFactor, async ({ body, origin, ctx }) => {
    if (!/^\d{6}$/.test(body.totp_token)) throw invalidInput(['Please enter a 6-digit verification code'])
    const user = await requireProof(ctx, body.user_id)
    const isRight = await twoFactor.confirm(user, body.totp_token, origin.ip)
    if (!isRight) {
      const actor = { id: user._id.toHexString(), email: user.email }
      await audit.record({ action: 'two_factor.enable', outcome: 'failure', actor }, origin)
      throw new AppError('wrong_code', 'Invalid verification code. Please try again.')
    }
    await twoFactorChange.announce(user, 'enable', { origin })
    cookies.clearProof(ctx)
    return { message: '2FA verification successful!' }
  })
}
