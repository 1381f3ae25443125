import { t } from '#contract/texts/t.ts'
import { ApiError, messageOf } from '../../shared/api/api-error.ts'
import { signInMessage } from './sign-in-errors.ts'

/** Messages for the codes in `/sso?error=…`, saying what to do next. */
const wordsOfFailures: Record<string, string> = {
  denied: t('You cancelled the sign-in, or your organisation refused it. Please try again.'),
  expired: t('The sign-in took too long, or began in another browser. Please start again.'),
  unavailable: t(
    'The sign-in service of your organisation cannot be reached now. Please try again later; accounts with a password of their own still work.',
  ),
  not_allowed: t(
    'Your organisation confirmed who you are, but that account may not sign in here: its groups or its address are not allowed, or it has no account here yet. Please ask your administrator.',
  ),
  deactivated: t('Your account has been deactivated. Please contact support.'),
}

/** Returns the message for a failure code in the address. */
export function wordsOfFailure(failure: string): string {
  // Anyone can write the address, so the code may be the name of a built-in object property.
  const words = Object.hasOwn(wordsOfFailures, failure) ? wordsOfFailures[failure] : undefined
  return words ?? t('Signing in did not work. Please start again, and ask your administrator if it happens again.')
}

/** Returns the message of a failed sign-in step through `providerName`, by status as for other sign-ins. */
export function ssoMessage(error: unknown, providerName: string): string {
  if (!(error instanceof ApiError)) return signInMessage(error)
  if (error.code === 'provider_unavailable') {
    return t(
      '{providerName} cannot be reached now. Please try again later; accounts with a password of their own still work.',
      { providerName },
    )
  }
  if (error.code === 'sso_denied') return messageOf(error, wordsOfFailures.not_allowed ?? '')
  if (error.code === 'sign_in_failed') return t('Invalid user name or password')
  if (error.code === 'wrong_password' || error.code === 'wrong_code') return error.message
  if (error.status === 404)
    return t('{providerName} is no longer offered. Please sign in another way.', { providerName })
  return signInMessage(error)
}
