import { expect, test } from 'vitest'
import { ProviderSettings, type OidcSettings } from '#data/sign-in-providers/sign-in-providers.ts'
import { identityFromClaims, lacksClaims } from './claims.ts'

function settingsOf(changes: object = {}): OidcSettings {
  const input = { kind: 'oidc', name: 'P', issuer: 'https://login.example.org', client_id: 'awaz', ...changes }
  const settings = ProviderSettings.parse(input)
  if (settings.kind !== 'oidc') throw new TypeError('The settings are of another kind')
  return settings
}

test.each([
  [{ email_verified: true }, true],
  [{ email_verified: 'true' }, true],
  [{ xms_edov: '1' }, true],
  [{ email_verified: false }, false],
  [{ email_verified: 'false' }, false],
  [{}, false],
])('of %j the address is verified: %s', (claims, isVerified) => {
  expect(identityFromClaims({ sub: '1', ...claims }, settingsOf()).isEmailVerified).toBe(isVerified)
})

test.each([
  [{ groups: ['a', 'b', 3] }, 'groups', ['a', 'b']],
  [{ groups: 'a' }, 'groups', ['a']],
  [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
  [{ 'https://example.org/groups': ['a'] }, 'https://example.org/groups', ['a']],
  [{ realm_access: 'text' }, 'realm_access.roles', []],
  [{}, 'constructor.name', []],
])('of %j the claim %s holds the groups %j', (claims, groups_claim, groups) => {
  expect(identityFromClaims({ sub: '1', ...claims }, settingsOf({ groups_claim })).groups).toEqual(groups)
})

test.each([
  [{ amr: ['pwd', 'mfa'] }, true],
  [{ amr: 'mfa' }, true],
  // It may have been the only factor.
  [{ amr: ['otp'] }, false],
  [{ acr: 'mfa' }, true],
  [{ amr: ['pwd'], acr: '1' }, false],
  [{}, false],
])('of %j a second factor was asked for: %s', (claims, isProven) => {
  expect(identityFromClaims({ sub: '1', ...claims }, settingsOf()).hasProvenSecondFactor).toBe(isProven)
})

test('the userinfo endpoint is asked for an address, and for groups where they are mapped', () => {
  const group_roles = [{ group: 'it', role: 'admin' }]
  expect(lacksClaims({ sub: '1' }, settingsOf())).toBe(true)
  expect(lacksClaims({ sub: '1', email: 'a@example.org' }, settingsOf())).toBe(false)
  expect(lacksClaims({ sub: '1', email: 'a@example.org' }, settingsOf({ group_roles }))).toBe(true)
})
