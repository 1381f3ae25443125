import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '#data/if-exists.ts'
import { amountTexts, listSome } from '#server/features/system/state/amount-texts.ts'
import type { Check, HostContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'files.readable': {
    severity: 'warning',
    title: 'Other users of this machine may read secrets, mails, the database or recordings',
    why: 'Files of Awaz are for the user that it runs as.',
    remedy: 'npm run awaz -- doctor --fix takes the permissions of others away.',
    command: 'npm run awaz -- doctor --fix',
  },
  'doctor.other_user': {
    severity: 'warning',
    title: 'awaz doctor runs as another user than Awaz',
    why: 'What this user may read and write, Awaz may not, and the other way around: permissions were not checked as they count.',
    remedy: 'Run it as the owner of DATA_DIR: sudo -u awaz, or docker exec without --user.',
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
/** Folders that Awaz itself creates with mode 0700. DATA_DIR is not among them: service managers and container engines create it. */
const privateFolders = ['outbox', 'db', 'audio', 'restore-points']
/** Permissions that no one else may have: on secrets, and on folders. A group may share folders: Kubernetes mounts volumes that way. */
const masks = { secret: 0o077, folder: 0o007 }
const weekMs = 7 * 24 * 3_600_000

/** Checks the permissions of files that only the user running Awaz may read. */
export const privateFilesCheck: Check = { name: 'permissions', findings, run }

async function run({ config, isFixing, now }: HostContext): Promise<Finding[]> {
  const found: Finding[] = []
  const owner = await findOtherOwner(config.dataDir)
  if (owner !== undefined)
    found.push(
      finding('doctor.other_user', `${config.dataDir} belongs to user ${owner}, and this is ${process.getuid?.()}.`),
    )
  const open = await findOpenPaths(config.dataDir)
  if (open.length > 0) {
    const paths = open.map(({ path }) => path)
    const fixed = isFixing ? await close(open) : undefined
    found.push(
      finding('files.readable', `Others may read ${amountTexts.paths(paths.length)} (${listSome(paths)}).`, { fixed }),
    )
  }
  const initial = await ifExists(() => stat(join(config.dataDir, 'initial-admin-password')))
  if (initial && now().getTime() - initial.mtimeMs > weekMs)
    found.push(
      finding('files.initial_password', `${join(config.dataDir, 'initial-admin-password')} is over a week old.`),
    )
  return found
}

/** Returns the id of the user who owns a data folder, if that is not the user of this process. */
export async function findOtherOwner(dataDir: string): Promise<number | undefined> {
  const info = await ifExists(() => stat(dataDir))
  return info && process.getuid && info.uid !== process.getuid() ? info.uid : undefined
}

interface OpenPath {
  path: string
  /** The mode it should have. */
  closedMode: number
}

/** Looks at the private folders and the files in `secrets`. Missing ones are left out. */
async function findOpenPaths(dataDir: string): Promise<OpenPath[]> {
  const secrets = join(dataDir, 'secrets')
  const files = ((await ifExists(() => readdir(secrets))) ?? []).map((name) => join(secrets, name))
  const paths = [
    ...[secrets, ...files].map((path) => ({ path, mask: masks.secret })),
    ...privateFolders.map((name) => ({ path: join(dataDir, name), mask: masks.folder })),
  ]
  const open: OpenPath[] = []
  for (const { path, mask } of paths) {
    const info = await ifExists(() => stat(path))
    if (info && (info.mode & mask) !== 0) open.push({ path, closedMode: info.mode & ~mask & 0o7777 })
  }
  return open
}

async function close(open: OpenPath[]): Promise<string> {
  for (const { path, closedMode } of open) await chmod(path, closedMode)
  return `The permissions of others were taken away: ${listSome(open.map(({ path }) => path))}.`
}
