import { once } from 'node:events'
import { connect } from 'node:tls'
import { amountTexts } from './amount-texts.ts'
import { describeHealthIssue } from './health-issues.ts'

const timeoutMs = 2000
const dayMs = 24 * 3_600_000
/** By the first limit it should have been renewed automatically; by the second it has to be renewed by hand. */
const [warningDays, problemDays] = [14, 7]

/**
 * Returns when the certificate at an address expires; undefined for http, or if nothing answers within 2 s. An untrusted one counts too,
 * because nothing is sent to the address.
 */
export async function readCertificateEnd(address: string): Promise<Date | undefined> {
  const { protocol, hostname, port } = new URL(address)
  if (protocol !== 'https:') return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: port === '' ? 443 : Number(port),
    rejectUnauthorized: false,
    // An IP address cannot be used as a server name (RFC 6066, section 3).
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

/** Returns what is wrong with a certificate that expires at a given time; undefined if it is valid for at least two more weeks. */
export function findCertificateIssue(endsAt: Date, now: Date) {
  const leftMs = endsAt.getTime() - now.getTime()
  if (leftMs >= warningDays * dayMs) return undefined
  if (leftMs <= 0) {
    return {
      code: 'certificate.expired',
      title: 'The certificate of PUBLIC_URL has expired',
      ...describeHealthIssue('certificate.expired'),
    } as const
  }
  const days = Math.floor(leftMs / dayMs)
  const isUrgent = days < problemDays
  return {
    code: 'certificate.ends_soon',
    title:
      days === 0
        ? 'The certificate of PUBLIC_URL ends within a day'
        : `The certificate of PUBLIC_URL ends in ${amountTexts.days(days)}`,
    severity: isUrgent ? 'problem' : 'warning',
    // A certificate that has not been renewed by now will not be renewed automatically.
    remedy: describeHealthIssue(isUrgent ? 'certificate.expired' : 'certificate.ends_soon').remedy,
  } as const
}
