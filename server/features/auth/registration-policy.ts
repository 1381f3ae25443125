import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'

/**
 * Who may register: everybody, people with an address of certain domains, or nobody.
 * @throws AppError `registration_closed`
 */
export function assertMayRegister(
  email: string,
  { registration, registrationDomains }: Pick<Config, 'registration' | 'registrationDomains'>,
): void {
  if (registration === 'open') return
  const help = 'Please ask your administrator for an account.'
  if (registration === 'closed') throw new AppError('registration_closed', `Registration is closed. ${help}`)
  if (registrationDomains.includes(email.slice(email.lastIndexOf('@') + 1))) return
  throw new AppError('registration_closed', `This address cannot register here. ${help}`)
}
