import { once } from 'node:events'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { TLSSocket } from 'node:tls'

export interface ProbedAddress {
  status: number
  /** The body, up to 64 KB. */
  text: string
  /** From the first byte of the body to its end. */
  afterFirstMs: number
  /** Missing for http. */
  certificate?: {
    endsAt: Date
    /** Why this machine does not trust it. */
    problem?: string
  }
}

const timeoutMs = 10_000
const maxBytes = 64 * 1024

/**
 * Requests an address and measures how its body arrives. An untrusted certificate is reported but does not stop the request: it carries a
 * token that is worthless a minute later, and the response is only compared. Throws if nothing answers within 10 s.
 */
export async function probeAddress(address: string, signal: AbortSignal): Promise<ProbedAddress> {
  const isEncrypted = address.startsWith('https:')
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const headers = { Accept: 'text/event-stream' }
  const sent = isEncrypted
    ? requestHttps(address, { signal: limited, headers, agent: false, rejectUnauthorized: false })
    : requestHttp(address, { signal: limited, headers, agent: false })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage] // as documented
  const certificate = readCertificate(response)
  return { status: response.statusCode ?? 0, ...(await readBody(response)), ...(certificate && { certificate }) }
}

async function readBody(response: IncomingMessage): Promise<Pick<ProbedAddress, 'text' | 'afterFirstMs'>> {
  let text = ''
  let firstAt: number | undefined
  for await (const chunk of response as AsyncIterable<Buffer>) {
    firstAt ??= performance.now()
    text += chunk.toString('latin1')
    if (text.length > maxBytes) break
  }
  return { text, afterFirstMs: firstAt === undefined ? 0 : performance.now() - firstAt }
}

function readCertificate({ socket }: IncomingMessage): ProbedAddress['certificate'] {
  if (!(socket instanceof TLSSocket)) return undefined
  const problem = socket.authorizationError
  const endsAt = new Date(socket.getPeerCertificate().valid_to)
  return { endsAt, ...(problem && { problem: String(problem) }) }
}
