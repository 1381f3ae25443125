import fc from 'fast-check'
import { EqualityFilter, OrFilter, type Filter } from 'ldapts'
import { expect, test } from 'vitest'
import { LdapProviderInput } from '#contract/entities/sign-in-provider.ts'
import { DirectoryUnavailable } from './directory-error.ts'
import { isGroup } from './distinguished-name.ts'
import { readEntryId } from './directory-search.ts'
import { fillFilter } from './filter.ts'

const defaultFilter = LdapProviderInput.shape.user_filter.parse(undefined)

/** Returns the attribute-value pairs that a filter compares. */
function comparisons(filter: Filter): [string, unknown][] {
  if (filter instanceof OrFilter) return filter.filters.flatMap(comparisons)
  if (filter instanceof EqualityFilter) return [[filter.attribute, filter.value]]
  throw new Error(`a filter of another kind: ${filter.toString()}`)
}

test('any name is compared as it is: none changes the filter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (username) => {
      expect(comparisons(fillFilter(defaultFilter, { username }))).toEqual(
        ['uid', 'sAMAccountName', 'userPrincipalName', 'mail'].map((attribute) => [attribute, username]),
      )
    }),
  )
})

test('names made of the signs of filters are compared as they are', () => {
  const sign = fc.constantFrom(
    '*',
    '(',
    ')',
    '\\',
    '\0',
    '|',
    '&',
    '!',
    '=',
    '~',
    '>',
    ':',
    '{username}',
    '{dn}',
    '$&',
    'ä',
    '2a',
  )
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 30 }), (signs) => {
      const username = signs.join('')
      expect(comparisons(fillFilter('(uid={username})', { username, dn: 'x' }))).toEqual([['uid', username]])
    }),
  )
})

test('a setting that is no filter says so', () => {
  expect(() => fillFilter('uid={username})(', { username: 'anna' })).toThrow(DirectoryUnavailable)
  expect(() => fillFilter('(uid={username}', { username: 'anna' })).toThrow('not a search filter')
})

test.each([
  ['CN=Leads,OU=Groups,DC=example,DC=org', 'cn=leads,ou=groups,dc=example,dc=org'],
  ['cn = Leads , ou=Groups, dc=example,dc=org', 'CN=Leads,OU=Groups,DC=example,DC=org'],
  ['leads', 'CN=Leads,OU=Groups,DC=example,DC=org'],
  ['Müller, Söhne', 'CN=M\\C3\\BCller\\, S\\C3\\B6hne,DC=example'],
  ['cn=Müller\\2C Söhne,dc=example', 'CN=Müller\\, Söhne,DC=example'],
  ['a=b', 'CN=a\\=b,DC=example'],
  ['Leads', 'leads'],
])('%j is the group %j', (written, group) => {
  expect(isGroup(written, group)).toBe(true)
})

test.each([
  ['Leads', 'OU=Leads,DC=example,DC=org'],
  ['Leads', 'CN=People,CN=Leads,DC=example'],
  ['cn=Leads,dc=example', 'CN=Leads,OU=Other,DC=example'],
  ['cn=Leads,dc=example,dc=org', 'CN=Leads,DC=example'],
  ['Leads,DC=example', 'CN=Leads,DC=example'],
  ['Leads', 'CN=Leads\\,DC=example'],
  ['', 'CN=Leads,DC=example'],
])('%j is not the group %j', (written, group) => {
  expect(isGroup(written, group)).toBe(false)
})

const guid = Buffer.from('33221100554477668899aabbccddeeff', 'hex')

test('ids are the same whatever their bytes look like', () => {
  expect(readEntryId({ dn: '', objectGUID: guid }, 'objectguid')).toBe('00112233-4455-6677-8899-aabbccddeeff')
  // Sixteen bytes that happen to be valid text.
  expect(readEntryId({ dn: '', objectGUID: Buffer.from('abcdefghijklmnop') }, 'objectGUID')).toBe(
    '64636261-6665-6867-696a-6b6c6d6e6f70',
  )
  expect(readEntryId({ dn: '', objectSid: Buffer.from('0105000000000005', 'hex') }, 'objectSid')).toBe(
    '0x0105000000000005',
  )
  expect(readEntryId({ dn: '', entryUUID: 'a79c7ebc-7b0f-1041-8090-2bfc7c13be45' }, 'entryUUID')).toBe(
    'a79c7ebc-7b0f-1041-8090-2bfc7c13be45',
  )
  expect(readEntryId({ dn: 'uid=anna', entryUUID: [] }, 'entryUUID')).toBe('')
  expect(readEntryId({ dn: 'uid=anna' }, 'dn')).toBe('')
})

test('different ids stay different', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 24 }).map((array) => Buffer.from(array))
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const same = one.equals(other)
      for (const name of ['objectGUID', 'objectSid', 'uid']) {
        expect(readEntryId({ dn: '', [name]: one }, name) === readEntryId({ dn: '', [name]: other }, name)).toBe(same)
      }
    }),
  )
})
