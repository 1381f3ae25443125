import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import type { AppContext, AppRouter, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import { readBearer, route } from '#server/http/route.ts'
import { waitForResponse } from '#server/http/wait-for-response.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { SessionCookies } from '../sessions/cookies.ts'
import type { Sessions } from '../sessions/service.ts'
import type { SignInSettingsService } from '../sign-in-settings/service.ts'
import { presentUser } from '../users/present.ts'
import type { PasswordReset } from './password-reset.ts'
import { assertMayRegister } from './registration-policy.ts'
import type { Registration } from './registration.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

interface RegistrationRoutesDeps {
  registration: Registration
  passwordReset: PasswordReset
  cookies: Pick<SessionCookies, 'setProof'>
  limiter: Pick<RateLimiter, 'count'>
  sessions: Pick<Sessions, 'authenticate'>
  signInSettings: Pick<SignInSettingsService, 'current'>
  config: Pick<Config, 'rates'>
}

/** Mounts the endpoints of registration, e-mail verification and password reset. */
export function mountRegistration(router: AppRouter, deps: RegistrationRoutesDeps): void {
  const { registration, passwordReset, cookies, config, limiter, sessions, signInSettings } = deps

  async function limitMails(kind: string, email: string, origin: RequestOrigin): Promise<void> {
    const { mailPerHour, mailPerAccountHour } = config.rates
    await limiter.count({ name: `${kind}-ip`, key: origin.ip, limit: mailPerHour, windowMs: hourMs })
    await limiter.count({ name: `${kind}-account`, key: email, limit: mailPerAccountHour, windowMs: hourMs })
  }

  route(router, api.auth.signUp, async ({ body, origin }) => {
    const message = 'Too many registration attempts. Please try again later.'
    const limit = config.rates.signUpPerHour
    await limiter.count({ name: 'signup-ip', key: origin.ip, limit, windowMs: hourMs, message })
    assertMayRegister(body.email, await signInSettings.current())
    const user = await registration.signUp(body, origin)
    return {
      message: 'Registration successful! Please check your email to verify your account.',
      user: presentUser(user),
    }
  })

  route(router, api.auth.verifyEmail, async ({ body, origin, ctx }) => {
    const user = await registration.verify(body.token, origin)
    cookies.setProof(ctx, user.id)
    return {
      requires_2fa_setup: user.twoFactor === null && user.hasPasskey !== true,
      user_id: user.id,
      user: presentUser(user),
    }
  })

  route(router, api.auth.resendVerification, async ({ body, origin, ctx }) => {
    const email = body.email ?? (await emailOfSession(ctx))
    if (!email) throw invalidInput(['Email is required'], 'email')
    await limiter.count({ name: 'resend-minute', key: email, limit: config.rates.resendPerMinute, windowMs: minuteMs })
    await limitMails('resend', email, origin)
    registration.resend(email, waitForResponse(ctx))
    return { message: 'Verification email sent! Please check your inbox.' }
  })

  async function emailOfSession(ctx: AppContext): Promise<string | undefined> {
    const token = readBearer(ctx)
    if (!token) return undefined
    const principal = await sessions.authenticate(token)
    if (!principal) throw new AppError('session_expired', 'Token has expired')
    return principal.user.email
  }

  route(router, api.auth.forgotPassword, async ({ body, origin, ctx }) => {
    await limitMails('forgot', body.email, origin)
    await passwordReset.request(body.email, origin, waitForResponse(ctx))
    return { message: 'Password reset code sent to your email' }
  })

  route(router, api.auth.verifyResetCode, async ({ body, origin, ctx }) => {
    await passwordReset.checkCode(body, origin, waitForResponse(ctx))
    return { message: 'Code verified successfully!' }
  })

  route(router, api.auth.resetPassword, async ({ body, origin, ctx }) => {
    await passwordReset.reset(body, body.new_password, origin, waitForResponse(ctx))
    return { message: 'Password reset successfully! You can now log in with your new password.' }
  })
}
