import { BlockList, isIP } from 'node:net'
import { z } from 'zod'

/** How to reach servers that run models. */
export interface RemoteServerSettings {
  /** Base addresses without `/v1` and without a trailing slash, no duplicates. */
  addresses: string[]
  key: string | undefined
  /** A PEM file with the authorities that https certificates are checked against. */
  caFile: string | undefined
  /** Maximum wait for a window of 30 s, or for the translation of a text. */
  timeoutMs: number
  /** The model that requests name. */
  model: string
  /** Whether plain http is allowed to public addresses too. */
  isHttpAllowed: boolean
}

/** Where speech is transcribed when SPEECH_SERVERS is set. */
export interface SpeechServerSettings extends RemoteServerSettings {
  /** Different models for single languages, by language code. */
  modelByLanguage: Record<string, string>
}

/** How to prompt the model of translation servers: see TranslationProfile. */
export const translationForms = ['chat', 'plain', 'completion', 'translategemma', 'hy-mt'] as const

/** Where texts are translated when TRANSLATION_SERVERS is set. */
export interface TranslationServerSettings extends RemoteServerSettings {
  /** Different models for single language pairs, by pair such as `ps-en`. */
  modelByPair: Record<string, string>
  /** Codes of the languages that the model knows; a pair's model knows those of the pair. */
  languages: string[]
  form: (typeof translationForms)[number]
}

const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, prefix)
  // The same networks within IPv6: mapped (RFC 4291) and translated by NAT64 (RFC 6052).
  privateNetworks.addSubnet(`::ffff:${network}`, 96 + prefix, 'ipv6')
  privateNetworks.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}
privateNetworks.addAddress('::1', 'ipv6')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

/** Returns whether an IP address is a loopback address or in a private range (RFC 1918, RFC 4193). */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && privateNetworks.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Returns the host of an address in the form for resolving: without the brackets of IPv6. */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$/g, '')
}

/** Comma-separated addresses, as in SPEECH_SERVERS and TRANSLATION_SERVERS. */
export const ServerAddresses = z
  .string()
  .transform((value) => value.split(',').flatMap((address) => address.trim() || []))
  .pipe(z.array(z.string().transform(toBaseAddress)).min(1, 'must name at least one address'))
  .transform((addresses) => [...new Set(addresses)])

function toBaseAddress(value: string, context: z.RefinementCtx<string>): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash
  if (!url || !isPlain || !['http:', 'https:'].includes(url.protocol)) {
    context.addIssue('must be addresses such as http://10.0.0.5:8000 between commas, without passwords')
    return z.NEVER
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/**
 * Returns what is wrong with the addresses of SPEECH_SERVERS or TRANSLATION_SERVERS; addresses with a host name are checked when
 * resolved.
 */
export function findServerProblem(
  { addresses, isHttpAllowed }: RemoteServerSettings,
  kind: 'SPEECH' | 'TRANSLATION',
): string | undefined {
  const open = addresses.filter((address) => {
    const host = hostOf(address)
    return address.startsWith('http:') && isIP(host) !== 0 && !isPrivateAddress(host)
  })
  if (isHttpAllowed || open.length === 0) return undefined
  const what = kind === 'SPEECH' ? 'recordings' : 'transcripts'
  return `${kind}_SERVERS would send ${what} unencrypted to ${open.join(', ')}; use https or set ${kind}_SERVER_ALLOW_HTTP`
}

/** Returns the id under which results and status name a model of the servers. */
export function remoteModelId(name: string): string {
  return `remote-${name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-')}`
}
