import { z } from 'zod'
import { Id, Moment } from '../scalars.ts'
import { t } from '../texts/t.ts'
import { Role } from './user.ts'

/** The maximum number of providers: more would not fit on the sign-in page. */
export const maxSignInProviders = 20

const Line = z.string().trim().max(500)
const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, t('Please enter domains such as example.org'))

/** The role that members of a group get; if several groups match, the strongest role applies. */
export const GroupRole = z.object({ group: Line.min(1, t('Group is required')), role: Role })
export type GroupRole = z.infer<typeof GroupRole>

const shared = {
  name: z.string().trim().min(1, t('Name is required')).max(60),
  is_enabled: z.boolean().default(true),
  /** Empty allows every domain. */
  allowed_domains: z.array(Domain).max(100).default([]),
  group_roles: z.array(GroupRole).max(200).default([]),
  /** The role of people who are in no mapped group; null denies them access. */
  default_role: Role.nullable().default('user'),
  /** Whether people without an account get one on their first sign-in. */
  creates_users: z.boolean().default(true),
  /** Whether the provider is trusted to require a second factor, so that ours is skipped; OIDC itself reports it in `amr` or `acr`. */
  replaces_two_factor: z.boolean().default(false),
}

/** An OpenID provider (OpenID Connect Core 1.0). The secret is write-only; a change without it keeps the current one. */
export const OidcProviderInput = z.object({
  kind: z.literal('oidc'),
  ...shared,
  issuer: z.url({ protocol: /^https?$/, error: t('Please enter an address such as https://login.example.org') }),
  client_id: Line.min(1, t('Client ID is required')),
  client_secret: z.string().max(2000).optional(),
  scopes: Line.default('openid email profile'),
  /** A claim, or a path to a claim, such as `realm_access.roles`. */
  groups_claim: Line.default('groups'),
  /**
   * Whether addresses are trusted although the provider does not send `email_verified`, for example because only its administrators
   * can change them.
   */
  trusts_email: z.boolean().default(false),
  /**
   * Values of `amr` or `acr` by which the provider reports that it required a second factor. `otp` or `hwk` name a factor that may have
   * been the only one (RFC 8176, section 2), so by default only `mfa` counts; super admins can choose other values.
   */
  second_factor_values: z.array(Line.min(1)).max(50).default(['mfa']),
})
export type OidcProviderInput = z.infer<typeof OidcProviderInput>

/** A directory (LDAP, RFC 4511). The password is write-only; a change without it keeps the current one. */
export const LdapProviderInput = z.object({
  kind: z.literal('ldap'),
  ...shared,
  url: z.string().regex(/^ldaps?:\/\/[^\s/]+\/?$/, t('Please enter an address such as ldaps://dc.example.org')),
  /** Required with ldap://, because passwords are never sent in the clear. */
  uses_starttls: z.boolean().default(false),
  /** Certificates (PEM) of the directory's private certificate authority. */
  ca: z.string().max(100_000).default(''),
  /** The account used for searches; empty for anonymous. */
  bind_dn: Line.default(''),
  bind_password: z.string().max(2000).optional(),
  base_dn: Line.min(1, t('Base DN is required')),
  /** `{username}` is replaced by the name typed, escaped (RFC 4515). */
  user_filter: Line.includes('{username}', {
    message: t('The filter must contain {placeholder}', { placeholder: '{username}' }),
  }).default('(|(uid={username})(sAMAccountName={username})(userPrincipalName={username})(mail={username}))'),
  id_attribute: Line.default('entryUUID'),
  email_attribute: Line.default('mail'),
  first_name_attribute: Line.default('givenName'),
  last_name_attribute: Line.default('sn'),
  /** The attribute of a person that lists groups, such as memberOf. */
  groups_attribute: Line.default('memberOf'),
  /** The base for searching groups with `group_filter` instead; empty to skip the search. */
  group_base_dn: Line.default(''),
  /** `{dn}` is replaced by the person's distinguished name, escaped. */
  group_filter: Line.default('(member={dn})'),
  timeout_seconds: z.int().min(1).max(60).default(10),
})
export type LdapProviderInput = z.infer<typeof LdapProviderInput>

export const SignInProviderInput = z.discriminatedUnion('kind', [OidcProviderInput, LdapProviderInput])
export type SignInProviderInput = z.infer<typeof SignInProviderInput>

const stored = {
  id: Id,
  has_secret: z.boolean(),
  created_at: Moment,
  /** The number of users linked to it. */ users: z.int().nonnegative(),
}

/** A provider as super admins see it: everything but its secret. `callback_url` must be registered with the provider. */
export const SignInProvider = z.discriminatedUnion('kind', [
  OidcProviderInput.omit({ client_secret: true }).extend({ ...stored, callback_url: z.string() }),
  LdapProviderInput.omit({ bind_password: true }).extend(stored),
])
export type SignInProvider = z.infer<typeof SignInProvider>
