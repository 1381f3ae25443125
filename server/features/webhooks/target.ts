import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isAllowedAddress, isPublicAddress, type AllowedHosts } from '#data/network-ranges.ts'

/**
 * Thrown with a sentence for the webhook's log. It does not include the address that a name resolves to, so that intranet addresses are not
 * disclosed.
 */
export class RefusedTargetError extends Error {
  override name = 'RefusedTargetError'
}

export interface TargetRules {
  /** Private addresses that webhooks may be sent to. */
  allowed: AllowedHosts
  /** Whether only those addresses may be reached. */
  isOffline: boolean
}

/** Returns the IP addresses of a host name. */
export type Resolve = (host: string) => Promise<string[]>

export async function resolveHost(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

const privateSentence =
  'This address is in a private network. An administrator can allow it with the setting WEBHOOK_ALLOW_PRIVATE.'

const plainSentence = 'Plain http would show everybody what is sent. Please use an address with https.'

/** Throws RefusedTargetError unless a webhook may be sent to this IP address, to which `url` resolved. */
export function assertAllowed(url: URL, address: string, { allowed, isOffline }: TargetRules): void {
  if (!isPublicAddress(address)) {
    if (isAllowedAddress(address, hostOf(url), allowed)) return
    throw new RefusedTargetError(privateSentence)
  }
  if (isOffline) {
    throw new RefusedTargetError(
      'This server is offline: webhooks reach private addresses alone that an administrator allows.',
    )
  }
  if (url.protocol !== 'https:') throw new RefusedTargetError(plainSentence)
}

/**
 * Returns the IP address to connect to. The connection must use it, because a second resolution may lead elsewhere (DNS rebinding). Throws
 * RefusedTargetError if any address of the host is refused.
 */
export async function resolveTarget(url: URL, rules: TargetRules, resolve: Resolve): Promise<string> {
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  for (const address of addresses) assertAllowed(url, address, rules)
  const [first] = addresses
  if (first === undefined) throw new RefusedTargetError('The host name has no address.')
  return first
}

/**
 * Returns the address of a webhook in the form stored. Throws RefusedTargetError for one that nothing could be sent to. If it names a host,
 * what the name resolves to is checked at each attempt, and beforehand only for plain http.
 */
export async function parseTarget(text: string, rules: TargetRules, resolve: Resolve): Promise<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new RefusedTargetError('Please enter an address such as https://example.org/hooks/awaz')
  if (url.username || url.password)
    throw new RefusedTargetError('The address must not contain a user name or a password')
  const host = hostOf(url)
  if (isIP(host) !== 0) assertAllowed(url, host, rules)
  else if (isLocalName(host) && !rules.allowed.hosts.includes(host)) throw new RefusedTargetError(privateSentence)
  else if (url.protocol === 'http:' && !(await canBePlain(host, rules, resolve)))
    throw new RefusedTargetError(plainSentence)
  url.hash = ''
  return url.href
}

/**
 * Returns whether a host may resolve to an address that plain http can be sent to: an allowed private one. A host that cannot be resolved
 * now may be resolvable later.
 */
async function canBePlain(host: string, { allowed }: TargetRules, resolve: Resolve): Promise<boolean> {
  if (allowed.networks.length === 0 && !allowed.hosts.includes(host)) return false
  const addresses = await resolve(host).catch(() => [])
  return !addresses.some(isPublicAddress)
}

/** RFC 6761, section 6.3. */
function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host)
}

/** The host in the form used to resolve it: without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}
