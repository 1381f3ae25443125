import type { OidcSettings } from '#data/sign-in-providers/sign-in-providers.ts'
import type { ExternalIdentity } from '../external-identity.ts'

/** Claims of an ID token, and of the userinfo endpoint if it was queried (OpenID Connect Core 1.0, section 5). */
export type OidcClaims = Record<string, unknown> & { sub: string }

/** Returns the person described by a provider's claims. */
export function identityFromClaims(claims: OidcClaims, settings: OidcSettings): ExternalIdentity {
  return {
    subject: claims.sub,
    email: textOf(claims.email),
    isEmailVerified: settings.trusts_email || [claims.email_verified, claims.xms_edov].some(isTrue),
    firstName: textOf(claims.given_name),
    lastName: textOf(claims.family_name),
    groups: listOf(claimAt(claims, settings.groups_claim)),
    hasProvenSecondFactor: [...listOf(claims.amr), ...listOf(claims.acr)].some((value) =>
      settings.second_factor_values.includes(value),
    ),
  }
}

/** Returns whether the ID token lacks something that an account needs, so that the userinfo endpoint must be queried. */
export function lacksClaims(
  claims: OidcClaims,
  { groups_claim: groupsClaim, group_roles: groupRoles }: OidcSettings,
): boolean {
  return claims.email === undefined || (groupRoles.length > 0 && claimAt(claims, groupsClaim) === undefined)
}

/** Returns a claim by its name; if no claim has that name, by the path that its dots describe, such as Keycloak's `realm_access.roles`. */
function claimAt(claims: OidcClaims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), claims)
}

/** Some providers write booleans as text or numbers, Entra ID among them (`xms_edov`, its equivalent of `email_verified`). */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
