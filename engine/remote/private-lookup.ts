import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPrivateAddress } from '#data/remote-servers.ts'

/** Thrown for a host name that resolves to a public address. */
export class PublicAddressError extends Error {
  override name = 'PublicAddressError'
}

/**
 * Resolves a host as Node does, but fails unless every address is private. The connection uses the returned address, so that a second
 * resolution cannot lead elsewhere (DNS rebinding).
 */
export const lookupPrivate: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, [])
    const publicAddress = found.map(({ address }) => address).find((address) => !isPrivateAddress(address))
    if (publicAddress) {
      return callback(
        new PublicAddressError(`${hostname} resolves to ${publicAddress}, which is not a private address`),
        [],
      )
    }
    if (options.all) return callback(null, found)
    const [first] = found
    callback(null, first?.address ?? '', first?.family)
  })
}
