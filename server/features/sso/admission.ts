import type { Role } from '#contract/entities/user.ts'
import { DeliverableEmail } from '#contract/names.ts'
import type { ProviderSettings } from '#data/sign-in-providers/sign-in-providers.ts'
import type { ExternalIdentity } from './external-identity.ts'
import { isGroup } from './ldap/distinguished-name.ts'

/** Why somebody identified by a provider may not sign in. */
export type Refusal =
  | 'no_email'
  | 'unverified_email'
  | 'domain'
  | 'group'
  | 'no_account'
  | 'other_person'
  | 'unverified_account'
  | 'ended'
  | 'removed'

const strongestFirst: Role[] = ['super_admin', 'admin', 'user']

/** Returns the role that the groups grant, the strongest if several match; null if the provider's settings deny the person. */
export function roleOf(groups: string[], { kind, group_roles, default_role }: ProviderSettings): Role | null {
  const isSame = kind === 'ldap' ? isGroup : (written: string, group: string) => written === group
  const given = group_roles.filter((mapped) => groups.some((group) => isSame(mapped.group, group)))
  return strongestFirst.find((role) => given.some((mapped) => mapped.role === role)) ?? default_role
}

/**
 * Returns the address in the form that accounts store, in lower case; undefined if it is not a valid address. An address with the Kelvin
 * sign does not belong to the owner of the address that it becomes in lower case: it is the only non-ASCII character whose lower case is an
 * ASCII letter.
 */
export function addressOf({ email }: Pick<ExternalIdentity, 'email'>): string | undefined {
  return email.includes('\u212A') ? undefined : DeliverableEmail.safeParse(email).data
}

/**
 * Returns why the settings deny a person. The address matters for people who are not linked to an account yet, and for everybody if the
 * provider's domains are limited: an address that the provider does not vouch for proves nothing.
 */
export function refusalOf(
  identity: ExternalIdentity,
  settings: ProviderSettings,
  { isLinked }: { isLinked: boolean },
): Refusal | undefined {
  const domains = settings.allowed_domains
  if (!isLinked || domains.length > 0) {
    const address = addressOf(identity)
    if (!address) return 'no_email'
    if (!identity.isEmailVerified) return 'unverified_email'
    if (domains.length > 0 && !domains.includes(address.slice(address.lastIndexOf('@') + 1))) return 'domain'
  }
  return roleOf(identity.groups, settings) === null ? 'group' : undefined
}
