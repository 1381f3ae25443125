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

/** The members of a group get a role; where several match, the strongest counts. */
export const GroupRole = z.object({ group: Line.min(1, t('Group is required')), role: Role })
export type GroupRole = z.infer<typeof GroupRole>

const shared = {
  name: z.string().trim().min(1, t('Name is required')).max(60),
  is_enabled: z.boolean().default(true),
  /** Empty: every domain. */
  allowed_domains: z.array(Domain).max(100).default([]),
  group_roles: z.array(GroupRole).max(200).default([]),
  /** The role of people in no mapped group; null denies them. */
  default_role: Role.nullable().default('user'),
  /** Whether people without an account get one when they first sign in. */
  creates_users: z.boolean().default(true),
  /** Whether the provider is trusted to ask for a second factor, so that ours is not asked for; OIDC reports it itself in `amr` or `acr`. */
  replaces_two_factor: z.boolean().default(false),
}

/** An OpenID provider (OpenID Connect Core 1.0). The secret is written, never read; left out of a change, it stays. */
export const OidcProviderInput = z.object({
  kind: z.literal('oidc'),
  ...shared,
  issuer: z.url({ protocol: /^https?$/, error: t('Please enter an address such as https://login.example.org') }),
  client_id: Line.min(1, t('Client ID is required')),
  client_secret: z.string().max(2000).optional(),
  scopes: Line.default('openid email profile'),
  /** A claim, or a path to one such as `realm_access.roles`. */
  groups_claim: Line.default('groups'),
  /**
   * Whether addresses are right although the provider does not say `email_verified`, as where only its administrators can change
   * them.
   */
  trusts_email: z.boolean().default(false),
  /**
   * Values of `amr` or `acr` by which the provider says that it asked for a second factor. `otp` or `hwk` name a factor that may have been
   * the only one (RFC 8176, section 2), so only `mfa` counts unless a super admin says otherwise.
   */
  second_factor_values: z.array(Line.min(1)).max(50).default(['mfa']),
})
export type OidcProviderInput = z.infer<typeof OidcProviderInput>

/** A directory (LDAP, RFC 4511). The password is written, never read; left out of a change, it stays. */
export const LdapProviderInput = z.object({
  kind: z.literal('ldap'),
  ...shared,
  url: z.string().regex(/^ldaps?:\/\/[^\s/]+\/?$/, t('Please enter an address such as ldaps://dc.example.org')),
  /** Required with ldap://: passwords never travel in the clear. */
  uses_starttls: z.boolean().default(false),
  /** Certificates (PEM) of the directory's own authority. */
  ca: z.string().max(100_000).default(''),
  /** The account that searches; empty: anonymous. */
  bind_dn: Line.default(''),
  bind_password: z.string().max(2000).optional(),
  base_dn: Line.min(1, t('Base DN is required')),
  /** `{username}` stands for what was typed, escaped (RFC 4515). */
  user_filter: Line.includes('{username}', {
    message: t('The filter must contain {placeholder}', { placeholder: '{username}' }),
  }).default('(|(uid={username})(sAMAccountName={username})(userPrincipalName={username})(mail={username}))'),
  id_attribute: Line.default('entryUUID'),
  email_attribute: Line.default('mail'),
  first_name_attribute: Line.default('givenName'),
  last_name_attribute: Line.default('sn'),
  /** Attribute of a person that lists groups, such as memberOf. */
  groups_attribute: Line.default('memberOf'),
  /** Where groups are searched for instead, by `group_filter`; empty: not searched. */
  group_base_dn: Line.default(''),
  /** `{dn}` stands for the person's name in the directory, escaped. */
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
  /** Whose accounts are linked. */ users: z.int().nonnegative(),
}

/** A provider as super admins see it: everything but its secret. `callback_url` is what the provider must know of us. */
export const SignInProvider = z.discriminatedUnion('kind', [
  OidcProviderInput.omit({ client_secret: true }).extend({ ...stored, callback_url: z.string() }),
  LdapProviderInput.omit({ bind_password: true }).extend(stored),
])
export type SignInProvider = z.infer<typeof SignInProvider>
