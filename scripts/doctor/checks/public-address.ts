import { AddressProbe } from '#contract/endpoints/system.ts'
import { createProbeToken, removeProbeToken } from '#data/health/address-probe.ts'
import { probeGapMs } from '#server/features/system/address-probe.ts'
import { probeAddress, type ProbedAddress } from '../probe-address.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'address.unreachable': {
    severity: 'problem',
    title: 'PUBLIC_URL does not answer',
    why: 'People and links in mails use this address.',
    remedy:
      'Start the proxy, and check its name in DNS and the firewall. Some networks do not let a server reach its own public address.',
  },
  'address.other_server': {
    severity: 'problem',
    title: 'PUBLIC_URL is answered by something else than this Awaz',
    why: 'People see another server, or an old one on another database.',
    remedy: 'Point the proxy, and the name in DNS, at this server: proxy_pass to HOST and PORT.',
  },
  'address.buffered': {
    severity: 'problem',
    title: 'The proxy holds the stream of events back',
    why: 'Progress and results show late, or only once the page is loaded again.',
    remedy: 'proxy_buffering off; for nginx, and the same for any other proxy (docs/deployment.md, "Behind a proxy").',
  },
  'address.hops': {
    severity: 'problem',
    title: 'TRUST_PROXY_HOPS is not the number of proxies that set X-Forwarded-For',
    why: 'Too low, everybody has the address of the proxy; too high, anybody can pretend any address. Lockouts and audit go by it.',
    remedy: 'Set TRUST_PROXY_HOPS to the number found, and let each proxy add to X-Forwarded-For.',
  },
  'certificate.expired': {
    severity: 'problem',
    title: 'The certificate of PUBLIC_URL has expired or ends within a week',
    why: 'Browsers refuse the page.',
    remedy: 'Renew it now, and find out why it was not renewed by itself (certbot renew, systemctl list-timers).',
  },
  'certificate.ends_soon': {
    severity: 'warning',
    title: 'The certificate of PUBLIC_URL ends within three weeks',
    why: 'Browsers refuse the page then.',
    remedy: 'Renew it, or check that it is renewed by itself (certbot renew --dry-run).',
  },
  'certificate.untrusted': {
    severity: 'warning',
    title: 'This machine does not trust the certificate of PUBLIC_URL',
    why: 'Browsers that do not know its authority refuse the page; phones and programs often do not.',
    remedy:
      'Let the proxy send the whole chain. For an authority of your own, install it on all machines; NODE_EXTRA_CA_CERTS names it for this one.',
  },
} as const

const finding = findingsOf(findings)
const dayMs = 24 * 3_600_000
const [problemDays, warningDays] = [7, 21]

/** The address that people use: who answers, how the way there treats streams and addresses, and its certificate. */
export const publicAddressCheck: Check<DatabaseContext> = { name: 'public address', findings, run }

async function run({ config, connection, isRunning, signal, now }: DatabaseContext): Promise<Finding[]> {
  if (!config.isPublicUrlSet || !isRunning) return []
  const token = await createProbeToken(connection)
  let probed: ProbedAddress
  try {
    probed = await probeAddress(`${config.publicUrl}/api/probe/${token}`, signal)
  } catch (error) {
    signal.throwIfAborted()
    return [
      finding('address.unreachable', `${config.publicUrl}: ${error instanceof Error ? error.message : String(error)}.`),
    ]
  } finally {
    await removeProbeToken(connection, token)
  }
  return [...checkAnswer(probed, config.publicUrl), ...checkCertificate(probed, now())]
}

function checkAnswer({ status, text, afterFirstMs }: ProbedAddress, publicUrl: string): Finding[] {
  const probe = AddressProbe.safeParse(readEvent(text))
  if (status !== 200 || !probe.success)
    return [
      finding('address.other_server', `${publicUrl} answers with status ${status}, and does not know this database.`),
    ]
  const { forwarded_addresses: hops, trusted_hops: trusted } = probe.data
  const found: Finding[] = []
  if (afterFirstMs < probeGapMs / 2)
    found.push(
      finding(
        'address.buffered',
        `The first event came ${Math.round(afterFirstMs)} ms before the last, and was sent ${probeGapMs} ms before it.`,
      ),
    )
  if (hops !== trusted)
    found.push(finding('address.hops', `X-Forwarded-For names ${hops} addresses, and TRUST_PROXY_HOPS is ${trusted}.`))
  return found
}

/** Returns the data of the first event; undefined for anything else. */
function readEvent(text: string): unknown {
  const [, json = ''] = /^event: probe\ndata: (.*)$/m.exec(text) ?? []
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function checkCertificate({ certificate }: ProbedAddress, now: Date): Finding[] {
  if (!certificate) return []
  const { endsAt, problem } = certificate
  const days = Math.floor((endsAt.getTime() - now.getTime()) / dayMs)
  const date = endsAt.toISOString().slice(0, 10)
  const found: Finding[] = []
  if (problem !== undefined && days >= 0)
    found.push(finding('certificate.untrusted', `The reason given is ${problem}.`))
  if (days < problemDays)
    found.push(
      finding('certificate.expired', days < 0 ? `It ended on ${date}.` : `It ends on ${date}, in ${days} days.`),
    )
  else if (days < warningDays) found.push(finding('certificate.ends_soon', `It ends on ${date}, in ${days} days.`))
  return found
}
