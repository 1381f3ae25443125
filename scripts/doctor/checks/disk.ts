import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { partsFolder } from '#data/audio-store/open-audio-store.ts'
import { findDiskProblem } from '#data/disk-check.ts'
import { ifExists } from '#data/if-exists.ts'
import { diskReserveBytes, estimateDiskGrowth, readDiskRoom } from '#data/health/disk-room.ts'
import { describeBytes } from '../../backup/commands/describe.ts'
import type { Check, DatabaseContext, HostContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'disk.unwritable': {
    severity: 'problem',
    title: 'A folder of Awaz cannot be written',
    why: 'Uploads are refused, or nothing works at all.',
    remedy: 'Mount the disk read-write, and give the folder to the user that Awaz runs as.',
  },
  'disk.full': {
    severity: 'problem',
    title: 'Less than 512 MiB are free for data or backups, or no more files can be created',
    why: 'Uploads are refused and /readyz says "not ready", or backups fail.',
    remedy:
      'Free room or enlarge the disk. RETENTION_DAYS deletes old recordings; DATA_DIR/audio/orphans and old models may go.',
  },
  'disk.nearly_full': {
    severity: 'warning',
    title: 'The disk is full soon, by the recordings of the last 30 days',
    why: 'Uploads are refused once less than 512 MiB are free.',
    remedy: 'Enlarge the disk, or set RETENTION_DAYS or QUOTA_BYTES.',
  },
} as const

const finding = findingsOf(findings)
const warnBelowDays = 30
/** A file system without inodes reports none. */
const minFreeFiles = 1000

/** Whether the folders of Awaz can be written, and how much room there is. */
export const diskCheck: Check = { name: 'disk', findings, run }

async function run({ config }: HostContext): Promise<Finding[]> {
  const found: Finding[] = []
  for (const folder of [config.dataDir, partsFolder(config), join(config.dataDir, 'tmp')]) {
    // Awaz makes the others at its start, as its own user; this command may be run by another.
    if (folder !== config.dataDir && !(await ifExists(() => stat(folder)))) continue
    const problem = await findDiskProblem(folder)
    if (problem !== undefined) found.push(finding('disk.unwritable', `${folder} cannot be written: ${problem}.`))
  }
  for (const folder of [config.dataDir, config.backup.folder]) {
    if (folder !== undefined && (await ifExists(() => stat(folder)))) found.push(...(await checkRoom(folder)))
  }
  return found
}

async function checkRoom(folder: string): Promise<Finding[]> {
  const { freeBytes, files, freeFiles } = await readDiskRoom(folder)
  if (freeBytes < diskReserveBytes) return [finding('disk.full', `${describeBytes(freeBytes)} are free for ${folder}.`)]
  if (files === 0 || freeFiles >= minFreeFiles) return []
  return [finding('disk.full', `${freeFiles} more files can be created (inodes) below ${folder}.`)]
}

/** When the disk will be full. */
export const diskGrowthCheck: Check<DatabaseContext> = { name: 'growth', findings, run: checkGrowth }

async function checkGrowth({ config, connection, now }: DatabaseContext): Promise<Finding[]> {
  const folder = config.dataDir
  const { freeBytes } = await readDiskRoom(folder)
  if (freeBytes < diskReserveBytes) return [] // it is full already
  const { bytesPerDay, daysLeft } = await estimateDiskGrowth(connection, { folder, now: now() })
  if (daysLeft >= warnBelowDays) return []
  const [growth, free] = [describeBytes(bytesPerDay), describeBytes(freeBytes)]
  return [
    finding(
      'disk.nearly_full',
      `${growth} of recordings are added a day, and ${free} are free: full in ${Math.floor(daysLeft)} days.`,
    ),
  ]
}
