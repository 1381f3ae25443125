import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openAudioStore, partsFolder } from '#data/audio-store/open-audio-store.ts'
import { readDatabaseTime } from '#data/database-time.ts'
import {
  countExpiredUploads,
  listStrayUploadFiles,
  removeExpiredUploads,
  removeStrayUploadFiles,
} from '#data/uploads/remove-uploads.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { findLeftovers } from '#engine/leftovers.ts'
import { amountTexts, listSome } from '#server/features/system/state/amount-texts.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'leftovers.temporary': {
    severity: 'warning',
    title: 'Temporary files of jobs that ended are still there',
    why: 'Decoded recordings take gigabytes, and are content.',
    remedy: 'npm run awaz -- doctor --fix deletes them; so does a restart of the engine.',
    command: 'npm run awaz -- doctor --fix',
  },
  'leftovers.uploads': {
    severity: 'warning',
    title: 'Partial files of interrupted uploads are over a day old',
    why: 'They take room. No such upload was ever acknowledged.',
    remedy: 'npm run awaz -- doctor --fix deletes them; so does a restart.',
    command: 'npm run awaz -- doctor --fix',
  },
  'leftovers.unfinished': {
    severity: 'warning',
    title: 'Unfinished uploads have expired, or their files belong to no upload',
    why: 'They take room. An engine removes them every ten minutes.',
    remedy: 'npm run awaz -- doctor --fix removes them; so does an engine that runs.',
    command: 'npm run awaz -- doctor --fix',
  },
} as const

const finding = findingsOf(findings)
const dayMs = 24 * 3_600_000

/** Files that killed processes left. */
export const leftoversCheck: Check<DatabaseContext> = { name: 'leftovers', findings, run }

async function run({ config, connection, isFixing }: DatabaseContext): Promise<Finding[]> {
  const tempDir = join(config.dataDir, 'tmp')
  const leftovers = await findLeftovers(openQueue(connection), tempDir)
  const found: Finding[] = []
  if (leftovers.length > 0) {
    if (isFixing) for (const path of leftovers) await rm(path, { recursive: true, force: true })
    const fixed = isFixing ? 'They were deleted.' : undefined
    found.push(
      finding(
        'leftovers.temporary',
        `Of no job at work: ${amountTexts.paths(leftovers.length)} (${listSome(leftovers)}).`,
        { fixed },
      ),
    )
  }
  const store = await openAudioStore(config, connection)
  const before = new Date((await readDatabaseTime(connection)).getTime() - dayMs)
  const parts = await store.countPartsOlder(before)
  if (parts > 0) {
    const fixed = isFixing ? `Deleted: ${amountTexts.files(await store.removePartsOlder(before))}.` : undefined
    found.push(
      finding(
        'leftovers.uploads',
        `Found in ${config.audioStore === 'gridfs' ? 'GridFS' : partsFolder(config)}: ${amountTexts.files(parts)}.`,
        { fixed },
      ),
    )
  }
  return [...found, ...(await checkUnfinished({ connection, audioStore: store }, isFixing))]
}

async function checkUnfinished(
  stores: Parameters<typeof removeExpiredUploads>[0],
  isFixing: boolean,
): Promise<Finding[]> {
  const expired = await countExpiredUploads(stores.connection)
  const stray = await listStrayUploadFiles(stores)
  if (expired + stray.length === 0) return []
  const fixed = isFixing
    ? `Removed: ${amountTexts.uploads(await removeExpiredUploads(stores))} and ${amountTexts.files(await removeStrayUploadFiles(stores))}.`
    : undefined
  return [
    finding(
      'leftovers.unfinished',
      `Expired: ${amountTexts.uploads(expired)}. Of no upload: ${amountTexts.files(stray.length)}.`,
      { fixed },
    ),
  ]
}
