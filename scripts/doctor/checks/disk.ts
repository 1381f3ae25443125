import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { partsFolder } from '#data/audio-store/open-audio-store.ts'
import { findDiskProblem } from '#data/disk-check.ts'
import { ifExists } from '#data/if-exists.ts'
import { diskReserveBytes, estimateDiskGrowth, readDiskRoom } from '#data/health/disk-room.ts'
import { amountTexts, describeSize } from '#server/features/system/state/amount-texts.ts'
import { backupDiskRemedy, healthIssues } from '#server/features/system/state/health-issues.ts'
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
    ...healthIssues['disk.full'],
    why: 'Uploads are refused and /readyz says "not ready", or backups fail.',
  },
  'disk.nearly_full': {
    ...healthIssues['disk.nearly_full'],
    why: 'Uploads are refused once less than 512 MiB are free.',
  },
} as const

const finding = findingsOf(findings)
const warnBelowDays = 30
/** A file system without inodes reports none. */
const minFreeFiles = 1000

/** Checks whether the folders of Awaz can be written to, and how much space is left. */
export const diskCheck: Check = { name: 'disk', findings, run }

async function run({ config }: HostContext): Promise<Finding[]> {
  const found: Finding[] = []
  for (const folder of [config.dataDir, partsFolder(config), join(config.dataDir, 'tmp')]) {
    // Awaz creates the others when it starts, as its own user; this command may be run by another user.
    if (folder !== config.dataDir && !(await ifExists(() => stat(folder)))) continue
    const problem = await findDiskProblem(folder)
    if (problem !== undefined) found.push(finding('disk.unwritable', `${folder} cannot be written: ${problem}.`))
  }
  const backupFolder = config.backup.folder
  found.push(...(await checkRoom(config.dataDir)))
  if (backupFolder !== undefined && backupFolder !== config.dataDir)
    found.push(...(await checkRoom(backupFolder, { remedy: backupDiskRemedy })))
  return found
}

async function checkRoom(folder: string, particulars: { remedy?: string } = {}): Promise<Finding[]> {
  if (!(await ifExists(() => stat(folder)))) return []
  const { freeBytes, files, freeFiles } = await readDiskRoom(folder)
  if (freeBytes < diskReserveBytes)
    return [finding('disk.full', `${describeSize(freeBytes)} are free for ${folder}.`, particulars)]
  if (files === 0 || freeFiles >= minFreeFiles) return []
  return [finding('disk.full', `Room below ${folder} (inodes): ${amountTexts.files(freeFiles)}.`, particulars)]
}

/** Predicts when the disk will be full. */
export const diskGrowthCheck: Check<DatabaseContext> = { name: 'growth', findings, run: checkGrowth }

async function checkGrowth({ config, connection, now }: DatabaseContext): Promise<Finding[]> {
  const folder = config.dataDir
  const { freeBytes } = await readDiskRoom(folder)
  if (freeBytes < diskReserveBytes) return [] // already full
  const { bytesPerDay, daysLeft } = await estimateDiskGrowth(connection, { folder, now: now() })
  if (daysLeft >= warnBelowDays) return []
  const [growth, free] = [describeSize(bytesPerDay), describeSize(freeBytes)]
  return [
    finding(
      'disk.nearly_full',
      `${growth} of recordings are added a day, and ${free} are free: full in ${amountTexts.days(Math.floor(daysLeft))}.`,
    ),
  ]
}
