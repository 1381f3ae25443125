import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { ConfigError, readConfig, type Config } from '#data/config.ts'
import { findConfigWarnings } from '#data/config-warnings.ts'
import { loadEnvFile } from '#data/env-file.ts'
import type { Check, HostContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'settings.invalid': {
    severity: 'problem',
    title: 'A setting is unknown, misspelt, or has a value that is none',
    why: 'Awaz does not start with it.',
    remedy:
      'Correct it in .env, in the file of AWAZ_ENV_FILE, or in the environment of the service; .env.example lists every setting.',
  },
  'settings.unreadable': {
    severity: 'problem',
    title: 'The file of AWAZ_ENV_FILE cannot be read',
    why: 'Awaz does not start without its settings.',
    remedy: 'Create the file, or let the user that Awaz runs as read it.',
  },
  'settings.public_url': {
    severity: 'warning',
    title: 'HOST is reachable from elsewhere, and PUBLIC_URL is not set',
    why: 'Links in mails lead to an address that only this machine can open.',
    remedy: 'Set PUBLIC_URL to the address that people type, and restart.',
  },
  'settings.not_encrypted': {
    severity: 'warning',
    title: 'PUBLIC_URL is http:// and no address of this machine',
    why: 'Passwords and recordings cross the network in clear text, and browsers offer no passkeys.',
    remedy:
      'Put a proxy with a certificate in front (docs/deployment.md, "Behind a proxy"), and set PUBLIC_URL to https://.',
  },
  'settings.proxy_hops': {
    severity: 'warning',
    title: 'PUBLIC_URL is https:// and TRUST_PROXY_HOPS is 0',
    why: 'Every person has the address of the proxy: rate limits and lockouts hit all of them at once, and the audit trail names nobody.',
    remedy: 'Set TRUST_PROXY_HOPS to the number of proxies, usually 1, and restart.',
  },
  'settings.backup_unencrypted': {
    severity: 'warning',
    title: 'Backups are not encrypted',
    why: 'Whoever copies a backup has every recording and every secret.',
    remedy: 'Set BACKUP_PASSPHRASE_FILE or BACKUP_RECIPIENTS in place of BACKUP_UNENCRYPTED (docs/backup.md, "Keys").',
  },
  'settings.backup_inside_data': {
    severity: 'warning',
    title: 'BACKUP_DIR lies in DATA_DIR',
    why: 'What destroys the data destroys its backups.',
    remedy: 'Set BACKUP_DIR to a folder on another disk, and move the backups there.',
  },
  'settings.readable': {
    severity: 'warning',
    title: 'A file with secret settings is readable by every user of this machine',
    why: 'It holds passwords or keys.',
    remedy: 'chmod 600 the file, as a file of the user that Awaz runs as.',
    command: 'chmod 600 FILE',
  },
} as const

const finding = findingsOf(findings)
const loopback = /^(?:localhost|127\.[\d.]+|\[::1\])$/
/** Settings whose value is a secret, and which are better given as NAME_FILE. */
const secretSettings = ['MONGODB_URI', 'SMTP_URL', 'BACKUP_PASSPHRASE', 'SPEECH_SERVER_KEY', 'TRANSLATION_SERVER_KEY']
const readableByAll = 0o004

/** Reads the settings of a process into `env` and parses them. Settings that keep Awaz from starting are returned as findings only. */
export function readSettings(env: NodeJS.ProcessEnv): { config?: Config; found: Finding[] } {
  try {
    loadEnvFile(env)
    return { config: readConfig(env), found: [] }
  } catch (error) {
    if (error instanceof ConfigError)
      return {
        found: error.problems.map((problem) =>
          finding('settings.invalid', /[.?!]$/.test(problem) ? problem : `${problem}.`),
        ),
      }
    const reason = error instanceof Error ? error.message : String(error)
    return { found: [finding('settings.unreadable', `${reason}.`)] }
  }
}

/** Checks for settings that are valid individually but dangerous together. */
export const settingsCheck: Check = { name: 'settings', findings, run }

async function run({ config, env }: HostContext): Promise<Finding[]> {
  const { publicUrl, isPublicUrlSet, trustProxyHops, backup, dataDir } = config
  const { protocol, hostname } = new URL(publicUrl)
  const found = findConfigWarnings(config).map((warning) => finding('settings.public_url', `${warning}.`))
  if (isPublicUrlSet && protocol === 'http:' && !loopback.test(hostname))
    found.push(finding('settings.not_encrypted', `PUBLIC_URL is ${publicUrl}.`))
  if (protocol === 'https:' && trustProxyHops === 0)
    found.push(finding('settings.proxy_hops', `PUBLIC_URL is ${publicUrl}, and TRUST_PROXY_HOPS is 0.`))
  if (backup.isUnencrypted) found.push(finding('settings.backup_unencrypted', 'BACKUP_UNENCRYPTED is true.'))
  if (backup.folder !== undefined && isInside(backup.folder, dataDir))
    found.push(finding('settings.backup_inside_data', `BACKUP_DIR is ${backup.folder}.`))
  return [...found, ...(await findReadableFiles(env))]
}

function isInside(path: string, folder: string): boolean {
  const steps = relative(folder, path)
  return !steps.startsWith('..') && !steps.startsWith('/')
}

async function findReadableFiles(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const files = ['AWAZ_ENV_FILE', ...secretSettings.map((name) => `${name}_FILE`)]
  const found: Finding[] = []
  for (const name of files) {
    const path = env[name]
    const info = path ? await stat(path).catch(() => undefined) : undefined
    if (info && (info.mode & readableByAll) !== 0)
      found.push(finding('settings.readable', `${name} names ${path}, with mode ${(info.mode & 0o777).toString(8)}.`))
  }
  return found
}
