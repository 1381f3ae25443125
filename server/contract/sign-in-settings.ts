import { z } from 'zod'
import { RegistrationMode } from './registration-mode.ts'
import { t } from './texts/t.ts'

const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, t('Please enter domains such as example.org'))

/** Who must have a second factor: nobody, admins and super admins, or everyone. */
export const TwoFactorPolicy = z.enum(['nobody', 'administrators', 'everybody'])
export type TwoFactorPolicy = z.infer<typeof TwoFactorPolicy>

/** Sign-in settings managed by super admins; environment variables take precedence. */
export const SignInSettings = z.object({
  registration: RegistrationMode,
  registration_domains: z.array(Domain).max(100),
  two_factor_policy: TwoFactorPolicy,
  /** Days after its creation for which an account works without a second factor; none for people who register themselves. */
  two_factor_grace_days: z.int().min(0).max(365),
  /** When an idle session ends, and when any session ends. */
  session_idle_hours: z.int().min(1).max(720),
  session_hours: z.int().min(1).max(720),
  /** The same for "Remember me". */
  remembered_idle_days: z.int().min(1).max(365),
  remembered_days: z.int().min(1).max(365),
})
export type SignInSettings = z.infer<typeof SignInSettings>
export const signInSettingNames = Object.keys(SignInSettings.shape) as (keyof SignInSettings)[] // keys of the shape

export const defaultSignInSettings: SignInSettings = {
  registration: 'open',
  registration_domains: [],
  two_factor_policy: 'everybody',
  two_factor_grace_days: 7,
  session_idle_hours: 8,
  session_hours: 24,
  remembered_idle_days: 14,
  remembered_days: 30,
}
