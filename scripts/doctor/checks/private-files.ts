import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '#data/if-exists.ts'
import type { Check, HostContext } from '../context.ts'
import { findingsOf, listSome, type Finding } from '../finding.ts'

const findings = {
  'files.readable': {
    severity: 'warning',
    title: 'Other users of this machine may read secrets, mails, the database or recordings',
    why: 'Files of Awaz are for the user that it runs as.',
    remedy: 'npm run awaz -- doctor --fix takes the permissions of others away.',
  },
  'files.initial_password': {
    severity: 'warning',
    title: 'The file with the first password is still there after a week',
    why: 'Whoever reads it is a super admin.',
    remedy:
      'Sign in with it and choose another password: the file is deleted then. If you have, delete DATA_DIR/initial-admin-password.',
  },
} as const

const finding = findingsOf(findings)
/** What Awaz itself makes with mode 0700. DATA_DIR is not among them: service managers and container engines make it. */
const privateFolders = ['secrets', 'outbox', 'db', 'audio']
const othersMask = 0o077
const weekMs = 7 * 24 * 3_600_000

/** Permissions of what only the user of Awaz may read. */
export const privateFilesCheck: Check = { name: 'permissions', findings, run }

async function run({ config, isFixing, now }: HostContext): Promise<Finding[]> {
  const open = await findOpenPaths(config.dataDir)
  const found: Finding[] = []
  if (open.length > 0) {
    const paths = listSome(
      open.map(({ path }) => path),
      'path',
    )
    const fixed = isFixing ? await close(open) : undefined
    found.push(finding('files.readable', `Others may read ${paths}.`, { fixed }))
  }
  const initial = await ifExists(() => stat(join(config.dataDir, 'initial-admin-password')))
  if (initial && now().getTime() - initial.mtimeMs > weekMs)
    found.push(
      finding('files.initial_password', `${join(config.dataDir, 'initial-admin-password')} is over a week old.`),
    )
  return found
}

interface OpenPath {
  path: string
  mode: number
}

/** The private folders, and the files of `secrets`, which may be mounted there. Links and what is missing are left out. */
async function findOpenPaths(dataDir: string): Promise<OpenPath[]> {
  const secrets = join(dataDir, 'secrets')
  const files = ((await ifExists(() => readdir(secrets))) ?? []).map((name) => join(secrets, name))
  const open: OpenPath[] = []
  for (const path of [...privateFolders.map((name) => join(dataDir, name)), ...files]) {
    const info = await ifExists(() => stat(path))
    if (info && (info.mode & othersMask) !== 0) open.push({ path, mode: info.mode })
  }
  return open
}

async function close(open: OpenPath[]): Promise<string> {
  for (const { path, mode } of open) await chmod(path, mode & ~othersMask & 0o777)
  return `The permissions of others were taken away from ${listSome(
    open.map(({ path }) => path),
    'path',
  )}.`
}
