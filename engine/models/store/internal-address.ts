import { lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import type { LookupFunction } from 'node:net'

/** Addresses that no public server has (RFC 1918, 3927, 4193, 6598 and others), to which a public server must not redirect. */
const internal = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  internal.addSubnet(network, prefix)
  // IPv4 addresses inside IPv6: mapped (RFC 4291) and translated by NAT64 (RFC 6052).
  internal.addSubnet(`::ffff:${network}`, 96 + prefix, 'ipv6')
  internal.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}
internal.addSubnet('::', 127, 'ipv6')
internal.addSubnet('fc00::', 7, 'ipv6')
internal.addSubnet('fe80::', 10, 'ipv6')

/** Thrown for a name that resolves to an internal address. */
export class InternalAddressError extends Error {
  override name = 'InternalAddressError'
}

/** Whether an IP address belongs to this machine or its network. */
export function isInternalAddress(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && internal.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Whether a host is internal by just its name or address, without resolving it. */
export function isInternalHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isInternalAddress(host)
}

/** Whether a host is or resolves to an internal address; false where it cannot be resolved. */
export async function resolvesToInternalAddress(host: string): Promise<boolean> {
  if (isInternalHost(host)) return true
  return new Promise((resolve) => {
    lookup(host, { all: true }, (error, found) => {
      resolve(!error && found.some(({ address }) => isInternalAddress(address)))
    })
  })
}

/**
 * Resolves a host as Node does, but fails for internal addresses. The connection uses the returned address, so that a name cannot
 * resolve to another address a moment later.
 */
export const lookupExternal: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, [])
    const inside = found.find(({ address }) => isInternalAddress(address))
    if (inside) return callback(new InternalAddressError(`${hostname} is ${inside.address}`), [])
    if (options.all) return callback(null, found)
    const [first] = found
    callback(null, first?.address ?? '', first?.family)
  })
}
