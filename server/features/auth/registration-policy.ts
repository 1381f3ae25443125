import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'

export type RegistrationSettings = Pick<Config, 'registration' | 'registrationDomains'>

/**
 * Throws `registration_closed` unless the address may register: anybody, addresses of certain domains, or nobody, by the settings.
 */
export function assertMayRegister(email: string, { registration, registrationDomains }: RegistrationSettings): void {
  if (registration === 'open') return
  const help = 'Please ask your administrator for an account.'
  if (registration === 'closed') throw new AppError('registration_closed', `Registration is closed. ${help}`)
  if (registrationDomains.includes(email.slice(email.lastIndexOf('@') + 1))) return
  throw new AppError('registration_closed', `This address cannot register here. ${help}`)
}
