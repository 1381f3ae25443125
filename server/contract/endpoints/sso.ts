import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { maxSignInProviders, SignInProvider, SignInProviderInput } from '../entities/sign-in-provider.ts'
import { User } from '../entities/user.ts'
import { Id, IdParams, Message } from '../scalars.ts'
import { SignInSettings, signInSettingNames } from '../sign-in-settings.ts'
import { t } from '../texts/t.ts'
import { Tokens } from './auth.ts'
import { westernDigits } from '../western-digits.ts'

const Ticket = z.string().min(1).max(512)

/**
 * How signing in through a provider continues: the user is signed in; our second factor is required; or an account with this address exists
 * and the user must prove ownership with its password (and code, with two-factor) before the two are linked. Pass the ticket to `finish`.
 */
export const SsoResult = z.union([
  Tokens.extend({ user: User }),
  z.object({
    requires_2fa: z.literal(true),
    user_id: Id,
    ticket: Ticket,
    /** The factors of the account: a code finishes this sign-in, a passkey signs in by itself. */
    methods: z.array(z.enum(['code', 'passkey'])),
  }),
  z.object({
    requires_link: z.literal(true),
    ticket: Ticket,
    email: z.string(),
    provider_name: z.string(),
    requires_code: z.boolean(),
  }),
])
export type SsoResult = z.infer<typeof SsoResult>

/** Signing in through an OpenID provider or a directory. */
export const sso = {
  start: endpoint({
    method: 'POST',
    path: '/api/auth/sso/oidc/:id/start',
    access: 'public',
    summary: 'Begin signing in through an OpenID provider; the browser goes to the returned address',
    params: IdParams,
    body: z.object({ remember_me: z.boolean().default(false) }).default({ remember_me: false }),
    response: z.object({ redirect_to: z.string() }),
    errors: ['not_found', 'provider_unavailable'],
  }),
  callback: endpoint({
    method: 'GET',
    path: '/api/auth/sso/oidc/:id/callback',
    access: 'public',
    summary: 'Where the OpenID provider sends the browser back to; leads to /sso with a ticket or an error',
    params: IdParams,
    response: z.string(),
    transport: 'file',
    errors: [],
  }),
  backChannelLogout: endpoint({
    method: 'POST',
    path: '/api/auth/sso/oidc/:id/logout',
    access: 'public',
    summary: 'End sessions by a logout token of the provider (OpenID Connect Back-Channel Logout 1.0)',
    params: IdParams,
    response: Message,
    transport: 'bytes',
    errors: ['not_found', 'invalid_input', 'provider_unavailable'],
  }),
  directorySignIn: endpoint({
    method: 'POST',
    path: '/api/auth/sso/ldap/:id/sign-in',
    access: 'public',
    summary: 'Sign in with the name and password of a directory',
    params: IdParams,
    body: z.object({
      username: z.string().trim().min(1, t('Username is required')).max(254),
      password: z.string().min(1, t('Password is required')).max(1024),
      remember_me: z.boolean().default(false),
    }),
    response: SsoResult,
    errors: [
      'not_found',
      'sign_in_failed',
      'sso_denied',
      'account_deactivated',
      'account_locked',
      'provider_unavailable',
    ],
  }),
  finish: endpoint({
    method: 'POST',
    path: '/api/auth/sso/finish',
    access: 'public',
    summary: 'Exchange a ticket for a session, with the code or the password that was asked for',
    body: z.object({
      ticket: Ticket,
      totp_token: z.string().trim().max(16).overwrite(westernDigits).optional(),
      password: z.string().max(1024).optional(),
    }),
    response: SsoResult,
    errors: ['sso_denied', 'account_deactivated', 'account_locked', 'wrong_password', 'wrong_code'],
  }),
}

/** The sign-in settings that super admins manage. */
export const signInAdmin = {
  getSettings: endpoint({
    method: 'GET',
    path: '/api/auth/super-admin/sign-in-settings',
    access: 'super_admin',
    summary: 'Who may register and how long sessions last; `fixed` names what the environment decides',
    response: z.object({ settings: SignInSettings, fixed: z.array(z.enum(signInSettingNames)) }),
    errors: [],
  }),
  changeSettings: endpoint({
    method: 'PUT',
    path: '/api/auth/super-admin/sign-in-settings',
    access: 'super_admin',
    summary: 'Change settings; those the environment decides cannot be changed',
    body: SignInSettings.partial(),
    response: z.object({ settings: SignInSettings, fixed: z.array(z.enum(signInSettingNames)) }),
    errors: ['conflict'],
  }),
  listProviders: endpoint({
    method: 'GET',
    path: '/api/auth/super-admin/sign-in-providers',
    access: 'super_admin',
    summary: 'OpenID providers and directories, without their secrets',
    response: z.object({ providers: z.array(SignInProvider) }),
    errors: [],
  }),
  createProvider: endpoint({
    method: 'POST',
    path: '/api/auth/super-admin/sign-in-providers',
    access: 'super_admin',
    summary: 'Add an OpenID provider or a directory',
    body: SignInProviderInput,
    response: z.object({ provider: SignInProvider }),
    status: 201,
    limit: { max: maxSignInProviders, error: 'conflict' },
    errors: ['conflict'],
  }),
  updateProvider: endpoint({
    method: 'PUT',
    path: '/api/auth/super-admin/sign-in-providers/:id',
    access: 'super_admin',
    summary: 'Change a provider; a secret that is left out stays',
    params: IdParams,
    body: SignInProviderInput,
    response: z.object({ provider: SignInProvider }),
    errors: ['not_found', 'conflict'],
  }),
  deleteProvider: endpoint({
    method: 'DELETE',
    path: '/api/auth/super-admin/sign-in-providers/:id',
    access: 'super_admin',
    summary: 'Remove a provider, the links of accounts to it and the sessions that began there',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
  testProvider: endpoint({
    method: 'POST',
    path: '/api/auth/super-admin/sign-in-providers/:id/test',
    access: 'super_admin',
    summary: 'Try a stored provider: discovery, or search; with a name, what the directory says of that person',
    params: IdParams,
    body: z.object({ username: z.string().trim().max(254).default('') }).default({ username: '' }),
    response: z.object({ is_working: z.boolean(), details: z.array(z.string()) }),
    errors: ['not_found'],
  }),
}
