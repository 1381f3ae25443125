import { AppError } from '#contract/app-error.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import type { Config } from '#data/config.ts'
import type { AuthUser } from '#server/http/context.ts'

type GateSettings = Pick<Config, 'gateRequiresVerified'>

/**
 * Keeps a signed-in user out of everything except what is needed to pass the gate: a new password, a verified e-mail address, a second
 * factor (accounts specification, section 2). Throws `password_change_required`, `verification_required` or `two_factor_required`.
 */
export function enforceGate(user: AuthUser, spec: EndpointSpec, settings: GateSettings): void {
  if (spec.isOpenBehindGate) return
  if (user.mustChangePassword) throw new AppError('password_change_required', 'Please change your password first.')
  if (settings.gateRequiresVerified && !user.isVerified) {
    throw new AppError('verification_required', 'Please verify your email address first.')
  }
  if (user.isTwoFactorDue && !user.hasTwoFactor) {
    throw new AppError('two_factor_required', 'Please enable two-factor authentication first.', {
      help: 'Set it up by POST /api/auth/2fa/enable and /api/auth/2fa/verify.',
    })
  }
}
