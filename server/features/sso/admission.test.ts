import { expect, test } from 'vitest'
import { ProviderSettings } from '#data/sign-in-providers/sign-in-providers.ts'
import { refusalOf, roleOf } from './admission.ts'

const oidc = { kind: 'oidc', name: 'P', issuer: 'https://login.example.org', client_id: 'awaz' } as const
const ldap = { kind: 'ldap', name: 'D', url: 'ldaps://dc.example.org', base_dn: 'dc=example' } as const
const group_roles = [
  { group: 'CN=Staff,OU=Groups', role: 'user' },
  { group: 'CN=IT,OU=Groups', role: 'admin' },
] as const
const person = {
  subject: '1',
  email: 'Nadia@Example.org',
  isEmailVerified: true,
  firstName: '',
  lastName: '',
  groups: [],
  hasProvenSecondFactor: false,
}

test('the strongest role of several groups wins', () => {
  const settings = ProviderSettings.parse({ ...oidc, group_roles })
  expect(roleOf(['CN=Staff,OU=Groups', 'CN=IT,OU=Groups'], settings)).toBe('admin')
})

test('groups of an OpenID provider are compared exactly, those of a directory as distinguished names', () => {
  const written = ['cn=it, ou=groups']
  expect(roleOf(written, ProviderSettings.parse({ ...oidc, group_roles, default_role: null }))).toBeNull()
  expect(roleOf(written, ProviderSettings.parse({ ...ldap, group_roles, default_role: null }))).toBe('admin')
})

test('people in no mapped group have the default role', () => {
  expect(roleOf(['others'], ProviderSettings.parse({ ...oidc, group_roles }))).toBe('user')
})

test.each([
  [{}, {}, undefined],
  [{ email: 'no address' }, {}, 'no_email'],
  [{ email: '\u212Aate@example.org' }, {}, 'no_email'],
  [{ isEmailVerified: false }, {}, 'unverified_email'],
  [{}, { allowed_domains: ['example.com'] }, 'domain'],
  [{ email: 'x@example.org.evil.example' }, { allowed_domains: ['example.org'] }, 'domain'],
  [{ email: 'x@sub.example.org' }, { allowed_domains: ['example.org'] }, 'domain'],
  [{}, { allowed_domains: ['example.org'] }, undefined],
  [{}, { default_role: null }, 'group'],
])('of %j with %j the refusal is %s', (change, settings, refusal) => {
  const parsed = ProviderSettings.parse({ ...oidc, ...settings })
  expect(refusalOf({ ...person, ...change }, parsed, { isLinked: false })).toBe(refusal)
})

test('the address of a linked person counts only where domains are limited', () => {
  const withoutAddress = { ...person, email: '' }
  expect(refusalOf(withoutAddress, ProviderSettings.parse(oidc), { isLinked: true })).toBeUndefined()
  const limited = ProviderSettings.parse({ ...oidc, allowed_domains: ['example.org'] })
  expect(refusalOf(withoutAddress, limited, { isLinked: true })).toBe('no_email')
})
