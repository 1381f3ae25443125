import { Agent as HttpAgent, get as httpGet, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, get as httpsGet } from 'node:https'
import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { AppError } from '#contract/app-error.ts'
import { proxyFor, type ProxyEnvironment } from './proxy.ts'

interface OpenOptions {
  headers: Record<string, string>
  env: ProxyEnvironment
  /** A connection without data for this long is closed. */
  idleMs: number
  signal?: AbortSignal
}

export interface OpenedDownload {
  response: IncomingMessage
  /** The file's metadata from the hub's redirect to its storage. */
  hubMetadata: { sha256: string | undefined; sizeBytes: number | undefined }
}

const maxRedirects = 8
const redirects = [301, 302, 303, 307, 308]

/** Addresses that no public server has (RFC 1918, 3927, 4193, 6598 and others) and to which a public server must not redirect. */
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

/**
 * Opens an address for reading, through a proxy if one is set, and follows redirects, but never from https to http, and never to an
 * internal address unless the first address is internal too.
 *
 * @throws AppError `unavailable` for a refused redirect; the error of the connection, which may be retried
 */
export async function openDownload(address: string, options: OpenOptions): Promise<OpenedDownload> {
  let url = new URL(address)
  const allowsInternal = await isInternal(url, options.env)
  let hubMetadata: OpenedDownload['hubMetadata'] = { sha256: undefined, sizeBytes: undefined }
  for (let count = 0; count <= maxRedirects; count++) {
    const refusesInternal = count > 0 && !allowsInternal
    const response = await request(url, { ...options, refusesInternal })
    const { statusCode = 0, headers } = response
    if (!redirects.includes(statusCode) || !headers.location) return { response, hubMetadata }
    response.destroy()
    hubMetadata = readHubMetadata(headers) ?? hubMetadata
    const next = new URL(headers.location, url)
    assertAllowed(url, next, { allowsInternal })
    url = next
  }
  throw new AppError('unavailable', `${address} redirects more than ${maxRedirects} times.`)
}

/** If there is a proxy, it resolves names, so only the form of a name can be checked here. */
async function isInternal(url: URL, env: ProxyEnvironment): Promise<boolean> {
  const host = hostOf(url)
  return proxyFor(url, env) ? isInternalHost(host) : resolvesToInternalAddress(host)
}

function assertAllowed(from: URL, to: URL, { allowsInternal }: { allowsInternal: boolean }): void {
  if (!['http:', 'https:'].includes(to.protocol) || (from.protocol === 'https:' && to.protocol === 'http:')) {
    throw refused(from, `${to.protocol}//${to.host}, which is not encrypted or not a web address`)
  }
  if (!allowsInternal && isInternalHost(hostOf(to))) throw refused(from, `${to.host}, an internal address`)
}

function refused(from: URL, where: string): AppError {
  return new AppError('unavailable', `${from.host} redirects to ${where}, which is refused.`, {
    help: 'Set MODELS_MIRROR to the server that has the models, if it is in your own network.',
  })
}

function request(
  url: URL,
  { headers, env, idleMs, signal, refusesInternal }: OpenOptions & { refusesInternal: boolean },
): Promise<IncomingMessage> {
  const proxy = proxyFor(url, env)
  const isHttps = url.protocol === 'https:'
  const agentOptions = proxy ? { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } } : {}
  const requestOptions: RequestOptions = {
    headers: { 'user-agent': 'awaz', 'accept-encoding': 'identity', ...headers },
    agent: isHttps ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions),
    timeout: idleMs,
    signal,
    // With a proxy, only the proxy's host is resolved, and the operator chose that.
    lookup: refusesInternal && !proxy ? lookupExternalAddress : undefined,
  }
  return new Promise((resolve, reject) => {
    const sent = (isHttps ? httpsGet : httpGet)(url, requestOptions)
    sent.on('response', (response) => {
      // Runs before the request is destroyed, because that error would only say "aborted".
      sent.prependListener('timeout', () => response.destroy(createIdleError(url, idleMs)))
      resolve(response)
    })
    sent.on('timeout', () => sent.destroy(createIdleError(url, idleMs)))
    sent.on('error', (error) => {
      const isRefused = error instanceof InternalAddressError
      reject(isRefused ? refused(url, `${error.message}, an internal address`) : error)
    })
  })
}

function createIdleError({ host }: URL, idleMs: number): Error {
  return new Error(`${host} was silent for ${idleMs / 1000} s`)
}

/** Hugging Face sends the size and SHA-256 of a large file in the redirect to its storage. */
function readHubMetadata(headers: IncomingMessage['headers']): OpenedDownload['hubMetadata'] | undefined {
  const etag = String(headers['x-linked-etag'] ?? '').replaceAll('"', '')
  const size = Number(headers['x-linked-size'])
  if (!/^[0-9a-f]{64}$/.test(etag)) return undefined
  return { sha256: etag, sizeBytes: Number.isSafeInteger(size) && size > 0 ? size : undefined }
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Thrown for a name that resolves to an internal address. */
class InternalAddressError extends Error {
  override name = 'InternalAddressError'
}

/** Whether an IP address belongs to this machine or its network. */
export function isInternalAddress(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && internal.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Whether a host is internal judging only by its name or address, without resolving it. */
export function isInternalHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isInternalAddress(host)
}

/** Whether a host is or resolves to an internal address; false if it cannot be resolved. */
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
export const lookupExternalAddress: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, [])
    const inside = found.find(({ address }) => isInternalAddress(address))
    if (inside) return callback(new InternalAddressError(`${hostname} is ${inside.address}`), [])
    if (options.all) return callback(null, found)
    const [first] = found
    callback(null, first?.address ?? '', first?.family)
  })
}
