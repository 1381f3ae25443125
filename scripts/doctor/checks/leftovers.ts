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
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, listSome, type Finding } from '../finding.ts'

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
    found.push(finding('leftovers.temporary', `${listSome(leftovers, 'path')} belong to no job at work.`, { fixed }))
  }
  const store = await openAudioStore(config, connection)
  const before = new Date((await readDatabaseTime(connection)).getTime() - dayMs)
  const parts = await store.countPartsOlder(before)
  if (parts > 0) {
    const fixed = isFixing ? `${await store.removePartsOlder(before)} files were deleted.` : undefined
    found.push(
      finding(
        'leftovers.uploads',
        `${parts} files in ${config.audioStore === 'gridfs' ? 'GridFS' : partsFolder(config)}.`,
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
    ? `${await removeExpiredUploads(stores)} uploads and ${await removeStrayUploadFiles(stores)} files were removed.`
    : undefined
  const details = `${expired} uploads have expired; ${stray.length} files belong to no upload.`
  return [finding('leftovers.unfinished', details, { fixed })]
}
