import { expect, test } from 'vitest'
import { AllowedHostList, isAllowedAddress, isPublicAddress } from './network-ranges.ts'

test.each([
  ['loopback', '127.0.0.1'],
  ['loopback, not the first', '127.8.9.10'],
  ['this host', '0.0.0.0'],
  ['private', '10.0.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['shared by a carrier', '100.64.0.1'],
  ['the metadata of a cloud', '169.254.169.254'],
  ['a benchmark', '198.18.0.1'],
  ['documentation', '203.0.113.9'],
  ['multicast', '224.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['loopback of IPv6', '::1'],
  ['unspecified', '::'],
  ['unique local', 'fd00::1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped loopback in hexadecimal', '::ffff:7f00:1'],
  ['mapped metadata', '::ffff:a9fe:a9fe'],
  ['mapped private, written out', '0:0:0:0:0:ffff:10.0.0.1'],
  ['compatible loopback', '::127.0.0.1'],
  ['translated by NAT64', '64:ff9b::a00:1'],
  ['translated by 6to4', '2002:a00:1::'],
  ['Teredo', '2001::1'],
  ['documentation of IPv6', '2001:db8::1'],
  ['multicast of IPv6', 'ff02::1'],
  ['no address', 'localhost'],
])('%s is not public: %s', (_, address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['93.184.215.14', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test('networks, addresses and hosts are allowed', () => {
  const allowed = AllowedHostList.parse('10.1.0.0/16, 192.168.7.7, Hooks.Intra, fd12::/32')
  const isAllowed = (address: string, host = address) => isAllowedAddress(address, host, allowed)
  expect([isAllowed('10.1.2.3'), isAllowed('10.2.0.1'), isAllowed('192.168.7.7'), isAllowed('192.168.7.8')]).toEqual([
    true,
    false,
    true,
    false,
  ])
  expect([isAllowed('fd12::1'), isAllowed('fd13::1'), isAllowed('::ffff:10.1.2.3')]).toEqual([true, false, true])
  expect([isAllowed('10.9.9.9', 'hooks.intra'), isAllowed('10.9.9.9', 'other.intra')]).toEqual([true, false])
})

test('a host name allows no link-local address, a network does', () => {
  expect(isAllowedAddress('169.254.169.254', 'hooks.intra', AllowedHostList.parse('hooks.intra'))).toBe(false)
  expect(isAllowedAddress('169.254.169.254', 'x', AllowedHostList.parse('169.254.169.254'))).toBe(true)
})

test.each(['10.0.0.0/33', '300.1.1.1', 'http://host', 'a b', '10.0.0', 'host:80'])('%s is refused', (text) => {
  expect(AllowedHostList.safeParse(text).success).toBe(false)
})
