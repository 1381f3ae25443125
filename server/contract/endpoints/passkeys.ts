import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { KeptAddress, User } from '../entities/user.ts'
import { Id, IdParams, Message, Moment } from '../scalars.ts'
import { t } from '../texts/t.ts'
import { SignInResult } from './auth.ts'

/** Arguments and results of the browser's WebAuthn functions; the library validates them (WebAuthn Level 3). */
const Options = z.record(z.string(), z.unknown())
const Credential = z.looseObject({ id: z.string().max(2000), type: z.literal('public-key') })
const Name = z.string().trim().min(1, t('Name is required')).max(60, t('Name must be at most 60 characters'))

/** The maximum number of passkeys per user. */
export const maxPasskeys = 20

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  created_at: Moment,
  last_used_at: Moment.nullable(),
  /** Whether the passkey is synced between the owner's devices. */
  is_synced: z.boolean(),
})
export type Passkey = z.infer<typeof Passkey>

/**
 * Passkeys (WebAuthn). A passkey suffices to sign in, because the device asks for a fingerprint, face or PIN, and it can also be the second
 * factor to a password.
 */
export const passkeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/auth/passkeys',
    access: 'user',
    summary: 'The passkeys of the user',
    response: z.object({ passkeys: z.array(Passkey) }),
    errors: [],
    isOpenBehindGate: true,
    isOpenWithoutLibrary: true,
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/begin',
    access: 'user',
    summary: 'Begin to add a passkey; requires the password confirmed within five minutes',
    response: z.object({ options: Options }),
    errors: ['password_confirmation_required', 'conflict'],
    isOpenBehindGate: true,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys',
    access: 'user',
    summary: 'Add the passkey that the browser made; other sessions end',
    body: z.object({ name: Name, response: Credential }),
    response: z.object({ passkey: Passkey }),
    status: 201,
    limit: { max: maxPasskeys, error: 'conflict' },
    errors: ['conflict'],
    isOpenBehindGate: true,
  }),
  rename: endpoint({
    method: 'PUT',
    path: '/api/auth/passkeys/:id',
    access: 'user',
    summary: 'Rename a passkey',
    params: IdParams,
    body: z.object({ name: Name }),
    response: z.object({ passkey: Passkey }),
    errors: ['not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/auth/passkeys/:id',
    access: 'user',
    summary: 'Remove a passkey; requires the password confirmed within five minutes; other sessions end',
    params: IdParams,
    response: Message,
    errors: ['not_found', 'password_confirmation_required'],
    isOpenWithoutLibrary: true,
  }),
  beginProof: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/open-library/begin',
    access: 'user',
    summary: 'Begin to open the library that an administrative reset closed, with a passkey from before it',
    response: z.object({ options: Options }),
    errors: ['conflict'],
    isOpenWithoutLibrary: true,
  }),
  openLibrary: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/open-library',
    access: 'user',
    summary:
      'Open the library that an administrative reset closed, with a passkey from before it; `address` as for opening it by a password',
    body: z.object({ response: Credential, address: KeptAddress.default('former') }),
    response: z.object({ message: z.string(), user: User }),
    errors: ['wrong_code', 'conflict'],
    isOpenWithoutLibrary: true,
  }),
  beginSignIn: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/sign-in/begin',
    access: 'public',
    summary: 'Begin to sign in with a passkey; the response is the same whoever asks',
    response: z.object({ challenge_id: z.string(), options: Options }),
    errors: ['conflict'],
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/sign-in',
    access: 'public',
    summary: 'Sign in with a passkey',
    body: z.object({
      challenge_id: z.string().max(200),
      response: Credential,
      remember_me: z.boolean().default(false),
    }),
    response: SignInResult,
    errors: ['sign_in_failed', 'account_deactivated', 'password_expired'],
  }),
}
