import {
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { passkeys, type Passkey } from '#contract/endpoints/passkeys.ts'
import type { KeptAddress } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError, isConfirmationTooOld, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'

// Loaded only when someone uses a passkey: few users do so on each visit.

/** Messages by the name of the browser's error. Browsers deliberately keep finer distinctions from pages. */
const creationErrors: Record<string, string> = {
  NotAllowedError: t('No passkey was made: it was cancelled or took too long. Please try again.'),
  AbortError: t('No passkey was made: it was cancelled. Please try again.'),
  InvalidStateError: t('This device has a passkey of your account already. Please choose another device.'),
  SecurityError: t('Passkeys do not work at this address. Please open the address that your administrator gave you.'),
  NotSupportedError: t('This device cannot make a passkey. Please choose another device.'),
  ConstraintError: t(
    'This device cannot make a passkey without a screen lock. Please set up a PIN, fingerprint or face.',
  ),
}
const signInErrors: Record<string, string> = {
  NotAllowedError: t(
    'No passkey was used: it was cancelled, took too long, or there is none for this site. Please try again, or sign in with your password.',
  ),
  AbortError: t('No passkey was used: it was cancelled. Please try again.'),
  SecurityError: creationErrors.SecurityError ?? '',
}

/**
 * Creates a passkey and adds it to the account. Throws the server's `password_confirmation_required` unchanged, otherwise an error whose
 * message is for the user.
 */
export async function addPasskey(name: string): Promise<Passkey> {
  try {
    const { options } = await call(passkeys.begin)
    // The server's half of the library creates them in the shape that this half expects.
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
    const response = await startRegistration({ optionsJSON })
    return (await call(passkeys.add, { body: { name, response: { ...response } } })).passkey
  } catch (error) {
    if (isConfirmationTooOld(error)) throw error
    throw describedError(error, creationErrors)
  }
}

/** Signs in with a passkey that the user chooses in the browser. Throws an error whose message is for the user. */
export async function signInWithPasskey(rememberMe: boolean) {
  try {
    const { challenge_id, options } = await call(passkeys.beginSignIn)
    // As in `addPasskey`.
    const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
    const response = await startAuthentication({ optionsJSON })
    return await call(passkeys.signIn, { body: { challenge_id, response: { ...response }, remember_me: rememberMe } })
  } catch (error) {
    throw describedError(error, signInErrors)
  }
}

/** Opens the closed library with a passkey from before the reset. Throws an error whose message is for the user. */
export async function openLibraryWithPasskey(address: KeptAddress) {
  try {
    const { options } = await call(passkeys.beginProof)
    // As in `addPasskey`.
    const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
    const response = await startAuthentication({ optionsJSON })
    return await call(passkeys.openLibrary, { body: { response: { ...response }, address } })
  } catch (error) {
    throw describedError(error, signInErrors)
  }
}

function describedError(error: unknown, sentences: Record<string, string>): Error {
  if (error instanceof ApiError) {
    return new Error(messageOf(error, t('Network error. Please check your connection and try again.')), {
      cause: error,
    })
  }
  const name = error instanceof Error ? error.name : ''
  return new Error(sentences[name] ?? t('The passkey could not be used. Please try again.'), { cause: error })
}
