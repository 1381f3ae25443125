import { AppError } from '#contract/app-error.ts'
import type { SignInSettings } from '#contract/sign-in-settings.ts'

type RegistrationSettings = Pick<SignInSettings, 'registration' | 'registration_domains'>

/**
 * Throws `registration_closed` unless the address may register. The settings allow anybody, addresses of certain domains, people with an
 * invitation, or nobody.
 */
export function assertMayRegister(
  email: string,
  { registration, registration_domains: domains }: RegistrationSettings,
): void {
  if (registration === 'open') return
  const help = 'Please ask your administrator for an account.'
  if (registration === 'closed') throw new AppError('registration_closed', `Registration is closed. ${help}`)
  if (registration === 'invitation') {
    throw new AppError(
      'registration_closed',
      'Registration is by invitation only. Please ask your administrator for one.',
    )
  }
  if (domains.includes(email.slice(email.lastIndexOf('@') + 1))) return
  throw new AppError('registration_closed', `This address cannot register here. ${help}`)
}
