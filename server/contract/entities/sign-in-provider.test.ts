import { describe, expect, test } from 'vitest'
import { complaints, id, many, textOf } from '../testing/inputs.ts'
import { SignInProvider, SignInProviderInput } from './sign-in-provider.ts'

const shared = {
  name: 'Work',
  is_enabled: true,
  allowed_domains: [],
  group_roles: [],
  default_role: 'user',
  creates_users: true,
  replaces_two_factor: false,
}
const oidc = { kind: 'oidc', name: 'Work', issuer: 'https://login.example.org', client_id: 'awaz' }
const ldap = { kind: 'ldap', name: 'Work', url: 'ldaps://dc.example.org', base_dn: 'dc=example,dc=org' }
const wholeOidc = {
  ...oidc,
  ...shared,
  scopes: 'openid email profile',
  groups_claim: 'groups',
  trusts_email: false,
  second_factor_values: ['mfa'],
}
const wholeLdap = {
  ...ldap,
  ...shared,
  uses_starttls: false,
  ca: '',
  bind_dn: '',
  user_filter: '(|(uid={username})(sAMAccountName={username})(userPrincipalName={username})(mail={username}))',
  id_attribute: 'entryUUID',
  email_attribute: 'mail',
  first_name_attribute: 'givenName',
  last_name_attribute: 'sn',
  groups_attribute: 'memberOf',
  group_base_dn: '',
  group_filter: '(member={dn})',
  timeout_seconds: 10,
}

test('an OpenID provider needs a name, an issuer and a client id', () => {
  expect(SignInProviderInput.parse(oidc)).toEqual(wholeOidc)
})

test('a directory needs a name, an address and where people are', () => {
  expect(SignInProviderInput.parse(ldap)).toEqual(wholeLdap)
})

test('texts are trimmed, and domains in small letters', () => {
  const given = { ...oidc, name: ' Work ', client_id: ' awaz ', allowed_domains: [' Example.ORG '] }
  expect(SignInProviderInput.parse(given)).toEqual({ ...wholeOidc, allowed_domains: ['example.org'] })
})

describe('what both kinds have', () => {
  test.each([
    [{ name: textOf(60) }, []],
    [{ name: ' ' }, ['Name is required']],
    [{ name: textOf(61) }, ['Name is too long']],
    [{ allowed_domains: many(100, 'a.org') }, []],
    [{ allowed_domains: many(101, 'a.org') }, ['Allowed domains is too long']],
    [{ allowed_domains: ['localhost'] }, ['Please enter domains such as example.org']],
    [{ group_roles: many(200, { group: textOf(500), role: 'admin' }) }, []],
    [{ group_roles: many(201, { group: 'a', role: 'admin' }) }, ['Group roles is too long']],
    [{ group_roles: [{ group: ' ', role: 'admin' }] }, ['Group is required']],
    [{ group_roles: [{ group: textOf(501), role: 'admin' }] }, ['Group is too long']],
    [{ group_roles: [{ group: 'a', role: 'root' }] }, ['Role is not valid']],
    [{ default_role: null, is_enabled: false, creates_users: false, replaces_two_factor: true }, []],
  ])('%#', (change, sentences) => {
    expect(complaints(SignInProviderInput, { ...oidc, ...change })).toEqual(sentences)
    expect(complaints(SignInProviderInput, { ...ldap, ...change })).toEqual(sentences)
  })
})

test.each([
  [{ issuer: 'http://localhost:8080/realms/a' }, []],
  [{ issuer: 'ldap://example.org' }, ['Please enter an address such as https://login.example.org']],
  [{ client_id: ' ' }, ['Client ID is required']],
  [{ client_id: textOf(501) }, ['Client Id is too long']],
  [{ client_secret: textOf(2000) }, []],
  [{ client_secret: textOf(2001) }, ['Client secret is too long']],
  [{ second_factor_values: many(50, 'mfa') }, []],
  [{ second_factor_values: many(51, 'mfa') }, ['Second factor values is too long']],
  [{ second_factor_values: [' '] }, ['Second factor values is too short']],
])('an OpenID provider with %j', (change, sentences) => {
  expect(complaints(SignInProviderInput, { ...oidc, ...change })).toEqual(sentences)
})

test.each([
  [{ url: 'ldap://dc.example.org:389/' }, []],
  [{ url: 'https://dc.example.org' }, ['Please enter an address such as ldaps://dc.example.org']],
  [{ base_dn: ' ' }, ['Base DN is required']],
  [{ ca: textOf(100_000) }, []],
  [{ ca: textOf(100_001) }, ['Ca is too long']],
  [{ bind_password: textOf(2000) }, []],
  [{ bind_password: textOf(2001) }, ['Bind password is too long']],
  [{ user_filter: '(uid=*)' }, ['The filter must contain {username}']],
  [{ timeout_seconds: 1 }, []],
  [{ timeout_seconds: 60 }, []],
  [{ timeout_seconds: 0 }, ['Timeout seconds is too small']],
  [{ timeout_seconds: 61 }, ['Timeout seconds is too large']],
])('a directory: %#', (change, sentences) => {
  expect(complaints(SignInProviderInput, { ...ldap, ...change })).toEqual(sentences)
})

test('there is no third kind', () => {
  expect(SignInProviderInput.safeParse({ ...oidc, kind: 'saml' }).success).toBe(false)
})

test('secrets are written, never read', () => {
  const stored = { id, has_secret: true, created_at: '2026-01-02T03:04:05.000Z', users: 0 }
  const callback_url = 'https://awaz.example.org/api/auth/sso/oidc/1/callback'
  expect(SignInProvider.parse({ ...wholeOidc, ...stored, callback_url, client_secret: 's' })).toEqual({
    ...wholeOidc,
    ...stored,
    callback_url,
  })
  expect(SignInProvider.parse({ ...wholeLdap, ...stored, bind_password: 's' })).toEqual({ ...wholeLdap, ...stored })
})
