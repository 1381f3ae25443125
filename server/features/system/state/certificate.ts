import { once } from 'node:events'
import { connect } from 'node:tls'

const timeoutMs = 2000

/**
 * Returns when the certificate at an address ends; undefined for http, and where nothing answers within 2 s. An untrusted one counts too: nothing is
 * sent there.
 */
export async function readCertificateEnd(address: string): Promise<Date | undefined> {
  const { protocol, hostname, port } = new URL(address)
  if (protocol !== 'https:') return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: port === '' ? 443 : Number(port),
    rejectUnauthorized: false,
    // An address is no name to ask for (RFC 6066, section 3).
    ...(!/^[\d.]+$|:/.test(host) && { servername: host }),
  })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) })
    return new Date(socket.getPeerCertificate().valid_to)
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}
