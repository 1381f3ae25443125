import { BlockList, isIP } from 'node:net'
import { z } from 'zod'

/** IPv4 networks that are not public Internet (IANA IPv4 Special-Purpose Address Registry). */
const specialNetworks: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Networks in the global unicast range of IPv6 that are not public Internet, or that embed IPv4 addresses of any kind. */
const specialNetworks6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const special = new BlockList()
for (const [network, prefix] of specialNetworks) special.addSubnet(network, prefix)
for (const [network, prefix] of specialNetworks6) special.addSubnet(network, prefix, 'ipv6')
const globalUnicast6 = new BlockList()
globalUnicast6.addSubnet('2000::', 3, 'ipv6')
const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16)
linkLocal.addSubnet('fe80::', 10, 'ipv6')

/** An IP address to apply rules to: an IPv6 address that represents an IPv4 address (RFC 4291, 2.5.5.2) is converted to that. */
interface PlainAddress {
  address: string
  family: 'ipv4' | 'ipv6'
}

function toPlain(address: string): PlainAddress | undefined {
  const family = isIP(address)
  if (family === 4) return { address, family: 'ipv4' }
  if (family !== 6) return undefined
  // URL writes IPv6 addresses in their shortest form, such as ::ffff:7f00:1.
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(shorten(address)) ?? []
  if (high === undefined || low === undefined) return { address, family: 'ipv6' }
  const [upper, lower] = [parseInt(high, 16), parseInt(low, 16)]
  return { address: [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.'), family: 'ipv4' }
}

function shorten(address: string): string {
  const bare = address.replace(/%.*$/, '')
  return new URL(`http://[${bare}]`).hostname
}

/** Returns whether an IP address is public: not loopback, private, link-local, shared, multicast or reserved. */
export function isPublicAddress(address: string): boolean {
  const plain = toPlain(address)
  if (!plain || special.check(plain.address, plain.family)) return false
  return plain.family === 'ipv4' || globalUnicast6.check(plain.address, 'ipv6')
}

/** Networks and hosts allowed by an administrator. */
export interface AllowedHosts {
  /** Lowercase names. */
  hosts: string[]
  networks: { address: string; prefix: number; family: 'ipv4' | 'ipv6' }[]
}

/**
 * Returns whether a non-public address is allowed, directly or by the name that resolved to it. A name does not allow link-local
 * addresses, where clouds serve their credentials: those must be allowed as a network.
 */
export function isAllowedAddress(address: string, host: string, { hosts, networks }: AllowedHosts): boolean {
  const plain = toPlain(address)
  if (!plain) return false
  const allowed = new BlockList()
  for (const network of networks) allowed.addSubnet(network.address, network.prefix, network.family)
  if (allowed.check(plain.address, plain.family)) return true
  return hosts.includes(host.toLowerCase()) && !linkLocal.check(plain.address, plain.family)
}

const hostName = /^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/

/** Networks (10.1.0.0/16), addresses and host names, separated by commas. */
export const AllowedHostList = z.string().transform((value, context): AllowedHosts => {
  const allowed: AllowedHosts = { hosts: [], networks: [] }
  for (const entry of value.toLowerCase().split(',')) {
    const text = entry.trim()
    if (text === '') continue
    const network = parseNetwork(text)
    if (network) allowed.networks.push(network)
    else if (hostName.test(text) && !/^[\d.]+$/.test(text)) allowed.hosts.push(text)
    else context.addIssue('must be networks such as 10.1.0.0/16, addresses or host names between commas')
  }
  return allowed
})

function parseNetwork(text: string): AllowedHosts['networks'][number] | undefined {
  const [, address = '', digits] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  if (family === 0) return undefined
  const length = family === 4 ? 32 : 128
  const prefix = digits === undefined ? length : Number(digits)
  return prefix <= length ? { address, prefix, family: family === 4 ? 'ipv4' : 'ipv6' } : undefined
}
