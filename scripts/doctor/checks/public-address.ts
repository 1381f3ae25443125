import { AddressProbe } from '#contract/endpoints/system.ts'
import { t } from '#contract/texts/t.ts'
import { createProbeToken, removeProbeToken } from '#data/health/address-probe.ts'
import { probeGapMs } from '#server/features/system/address-probe.ts'
import { probeAddress, type ProbedAddress } from '../probe-address.ts'
import { findCertificateIssue } from '#server/features/system/state/certificate.ts'
import { healthIssues } from '#server/features/system/state/health-issues.ts'
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
    title: 'PUBLIC_URL is answered by something other than this Awaz',
    why: 'People see another server, or an old one on another database.',
    remedy: 'Point the proxy, and the name in DNS, at this server: proxy_pass to HOST and PORT.',
  },
  'address.buffered': {
    severity: 'problem',
    title: 'The proxy buffers the event stream',
    why: 'Progress and results appear late, or only after the page is reloaded.',
    remedy: 'proxy_buffering off; for nginx, and the same for any other proxy (docs/deployment.md, "Behind a proxy").',
  },
  'address.hops': {
    severity: 'problem',
    title: 'TRUST_PROXY_HOPS is not the number of proxies that set X-Forwarded-For',
    why: 'If too low, everyone appears to have the address of the proxy. If too high, anyone can fake an address for lockouts and audit.',
    remedy: 'Set TRUST_PROXY_HOPS to the number found, and let each proxy add to X-Forwarded-For.',
  },
  'certificate.expired': {
    ...healthIssues['certificate.expired'],
    why: 'Browsers refuse the page.',
  },
  'certificate.ends_soon': {
    ...healthIssues['certificate.ends_soon'],
    why: 'Browsers will refuse the page after that.',
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

/** Checks the address that people use: what answers there, how proxies handle streams and client addresses, and the certificate. */
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
        t('The first event came {1, number} ms before the last, and was sent {2, number} ms before it.', {
          1: Math.round(afterFirstMs),
          2: probeGapMs,
        }),
      ),
    )
  if (hops !== trusted)
    found.push(
      finding(
        'address.hops',
        t('Addresses in X-Forwarded-For: {1, number}. TRUST_PROXY_HOPS: {2, number}.', { 1: hops, 2: trusted }),
      ),
    )
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

/** Returns what is wrong with the certificate of the public address. */
export function checkCertificate({ certificate }: Pick<ProbedAddress, 'certificate'>, now: Date): Finding[] {
  if (!certificate) return []
  const { endsAt, problem } = certificate
  const date = endsAt.toISOString().slice(0, 10)
  const found: Finding[] = []
  if (problem !== undefined && endsAt > now)
    found.push(finding('certificate.untrusted', `The reason given is ${problem}.`))
  const issue = findCertificateIssue(endsAt, now)
  if (issue) {
    const { code, ...particulars } = issue
    found.push(finding(code, endsAt > now ? `It ends on ${date}.` : `It ended on ${date}.`, particulars))
  }
  return found
}
