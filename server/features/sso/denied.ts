import { AppError } from '#contract/app-error.ts'
import type { Refusal } from './admission.ts'

/** Returns the error for a person whom the provider identified but who may not sign in; it says what to do. */
export function deniedError(refusal: Refusal, providerName: string): AppError {
  return new AppError('sso_denied', messages[refusal](providerName))
}

const messages: Record<Refusal, (name: string) => string> = {
  no_email: (name) => `${name} did not tell your e-mail address. Please ask your administrator to have it passed on.`,
  unverified_email: (name) =>
    `${name} has not verified your e-mail address. Please verify it there, then sign in again.`,
  domain: (name) =>
    `Your e-mail address at ${name} is of a domain that may not sign in here. Please use another one, or ask your administrator.`,
  group: (name) =>
    `Your groups at ${name} do not allow you to sign in here. Please ask your administrator to add you to one that does.`,
  no_account: () =>
    'You have no account here yet. Please ask your administrator to create one for your e-mail address.',
  other_person: () =>
    'The account with your e-mail address signs in another way. Please sign in that way, or ask your administrator to set a password for it, by which the two can be linked.',
  unverified_account: () =>
    'The e-mail address of your account here is not verified yet. Please open the link in the mail that was sent to it, then sign in again.',
  ended: () => 'Signing in took too long, or this step was used already. Please start again.',
  removed: (name) => `${name} is no longer offered for signing in. Please sign in another way.`,
}
