import { api } from '#contract/api.ts'
import type { Config } from '#data/config.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'server.silent': {
    severity: 'problem',
    title: 'Awaz runs, and its server does not answer at HOST and PORT',
    why: 'Nobody can use it.',
    remedy: 'Read its log, and restart Awaz. HOST and PORT must be those that it was started with.',
  },
  'server.not_ready': {
    severity: 'problem',
    title: 'The server cannot use its database or folders',
    why: 'Uploads or everything else fails; /readyz says "not ready", and a load balancer sends nobody.',
    remedy: 'Mend what the sentence says: the disk, or who owns the folders of DATA_DIR.',
  },
} as const

const finding = findingsOf(findings)
const timeoutMs = 10_000
/** Checks that only the server can report. Engines, models and mail are checked separately. */
const ownChecks = ['database', 'data_folder', 'audio_store']

/** Reports what the running server says about itself at /readyz. */
export const serverCheck: Check<DatabaseContext> = { name: 'server', findings, run }

async function run({ config, isRunning, signal }: DatabaseContext): Promise<Finding[]> {
  if (!isRunning || !config.hasServer) return []
  const address = localAddress(config)
  try {
    const response = await fetch(`${address}/readyz`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const { checks } = api.system.ready.response.parse(await response.json())
    return Object.entries(checks)
      .filter(([name, { ok }]) => !ok && ownChecks.includes(name))
      .map(([name, { message }]) => finding('server.not_ready', `The check ${name} failed: ${message}.`))
  } catch (error) {
    signal.throwIfAborted()
    const { cause } = error instanceof Error ? error : {}
    const reason = cause instanceof Error ? cause.message : String(error)
    return [finding('server.silent', `${address} cannot be asked: ${reason}.`)]
  }
}

/** Returns the address of the server on this machine. */
export function localAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
