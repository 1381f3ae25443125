import { Agent as HttpAgent, get as httpGet } from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { Agent as HttpsAgent, get as httpsGet } from 'node:https'
import { AppError } from '#contract/app-error.ts'
import { isInternalHost, leadsInside, lookupExternal, InternalAddressError } from './internal-address.ts'
import { proxyFor } from './proxy.ts'
import type { ProxyEnvironment } from './proxy.ts'

interface OpenOptions {
  headers: Record<string, string>
  env: ProxyEnvironment
  /** A connection that is silent for so long is closed. */
  idleMs: number
  signal?: AbortSignal
}

export interface OpenedDownload {
  response: IncomingMessage
  /** What the hub says of the file where it sends on to its storage. */
  linked: { sha256: string | undefined; sizeBytes: number | undefined }
}

const maxRedirects = 8
const redirects = [301, 302, 303, 307, 308]

/**
 * Opens an address for reading, through a proxy where one is set, and follows redirects: never from https to http, and never into this
 * network unless the first address lies there itself.
 *
 * @throws AppError `unavailable` for a redirect that is refused; the error of the connection, which may be tried again
 */
export async function openDownload(address: string, options: OpenOptions): Promise<OpenedDownload> {
  let url = new URL(address)
  const mayGoInside = await isInside(url, options.env)
  let linked: OpenedDownload['linked'] = { sha256: undefined, sizeBytes: undefined }
  for (let count = 0; count <= maxRedirects; count++) {
    const isRefusedInside = count > 0 && !mayGoInside
    const response = await request(url, { ...options, isRefusedInside })
    const { statusCode = 0, headers } = response
    if (!redirects.includes(statusCode) || !headers.location) return { response, linked }
    response.destroy()
    linked = readLinked(headers) ?? linked
    const next = new URL(headers.location, url)
    assertAllowed(url, next, { mayGoInside })
    url = next
  }
  throw new AppError('unavailable', `${address} sends on more than ${maxRedirects} times.`)
}

/** A name behind a proxy is resolved there, so that its own form is all there is to judge. */
async function isInside(url: URL, env: ProxyEnvironment): Promise<boolean> {
  const host = hostOf(url)
  return proxyFor(url, env) ? isInternalHost(host) : leadsInside(host)
}

function assertAllowed(from: URL, to: URL, { mayGoInside }: { mayGoInside: boolean }): void {
  if (!['http:', 'https:'].includes(to.protocol) || (from.protocol === 'https:' && to.protocol === 'http:')) {
    throw refused(from, `${to.protocol}//${to.host}, which is not encrypted or no address of the web`)
  }
  if (!mayGoInside && isInternalHost(hostOf(to))) throw refused(from, `${to.host}, an address of this network`)
}

function refused(from: URL, where: string): AppError {
  return new AppError('unavailable', `${from.host} sends on to ${where}. That is refused.`, {
    help: 'Set MODELS_MIRROR to the server that has the models, if it is in your own network.',
  })
}

function request(
  url: URL,
  { headers, env, idleMs, signal, isRefusedInside }: OpenOptions & { isRefusedInside: boolean },
): Promise<IncomingMessage> {
  const proxy = proxyFor(url, env)
  const isHttps = url.protocol === 'https:'
  const agentOptions = proxy ? { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } } : {}
  const requestOptions: RequestOptions = {
    headers: { 'user-agent': 'awaz', 'accept-encoding': 'identity', ...headers },
    agent: isHttps ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions),
    timeout: idleMs,
    signal,
    // The host of a proxy is the operator's own choice; all others are resolved here.
    lookup: isRefusedInside && !proxy ? lookupExternal : undefined,
  }
  return new Promise((resolve, reject) => {
    const sent = (isHttps ? httpsGet : httpGet)(url, requestOptions)
    sent.on('response', (response) => {
      // Before the request's own end, which would hide the reason behind "aborted".
      sent.prependListener('timeout', () => response.destroy(silence(url, idleMs)))
      resolve(response)
    })
    sent.on('timeout', () => sent.destroy(silence(url, idleMs)))
    sent.on('error', (error) => {
      const isRefused = error instanceof InternalAddressError
      reject(isRefused ? refused(url, `${error.message}, an address of this network`) : error)
    })
  })
}

function silence({ host }: URL, idleMs: number): Error {
  return new Error(`${host} was silent for ${idleMs / 1000} s`)
}

/** Hugging Face names size and SHA-256 of a large file in the answer that sends on to its storage. */
function readLinked(headers: IncomingMessage['headers']): OpenedDownload['linked'] | undefined {
  const etag = String(headers['x-linked-etag'] ?? '').replaceAll('"', '')
  const size = Number(headers['x-linked-size'])
  if (!/^[0-9a-f]{64}$/.test(etag)) return undefined
  return { sha256: etag, sizeBytes: Number.isSafeInteger(size) && size > 0 ? size : undefined }
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}
