import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPrivateAddress } from '#data/remote-servers.ts'

/** Thrown for a name that stands for a public address. */
export class PublicAddressError extends Error {
  override name = 'PublicAddressError'
}

/**
 * Resolves a host as Node does, but fails unless every address found is private. As the connection is made to what this returns, a
 * name cannot stand for another address a moment later.
 */
export const lookupPrivate: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, [])
    const open = found.find(({ address }) => !isPrivateAddress(address))
    if (open) return callback(new PublicAddressError(`${hostname} is ${open.address}, which is no private address`), [])
    if (options.all) return callback(null, found)
    const [first] = found
    callback(null, first?.address ?? '', first?.family)
  })
}
