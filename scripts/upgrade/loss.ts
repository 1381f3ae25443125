import { BSON } from 'mongodb'
import { readConfig } from '#data/config.ts'
import { connectDatabase } from '#data/connect.ts'
import { readDataVersion } from '#data/data-version.ts'
import { findWritingVersion } from '#data/prepare-data.ts'
import type { RestorePoint } from '#data/restore-points/restore-points.ts'
import { openDataFile } from '#server/embedded-db/storage/read-data-file.ts'
import { openCliDatabase } from '../admin/database.ts'
import { isInUse, stillRunning } from './data-file-lock.ts'

/** Collections that people know, by what they call their documents. */
const labels = {
  users: 'accounts',
  recordings: 'recordings',
  jobs: 'transcripts, translations and other jobs',
  cases: 'cases',
  notes: 'notes',
  keywords: 'keywords',
  word_lists: 'word lists',
} as const

type Ids = Map<string, Set<string>>

export interface CurrentData {
  dataVersion: number
  writtenBy: string | null
  /** Ids of documents by collection; of recordings those that were not deleted. The reason where a damaged database could not be read. */
  ids: Ids | string
}

/**
 * Reads what the embedded database holds. It may be running when this returns, where Awaz was started meanwhile: `lockDataFile` finds out.
 *
 * @throws AppError `conflict` where another process has it open
 */
export async function readCurrentData(dataDir: string): Promise<CurrentData> {
  try {
    return await readStoppedData(dataDir)
  } catch (error) {
    if (isInUse(error)) throw stillRunning(dataDir, error)
    return { dataVersion: 0, writtenBy: null, ids: error instanceof Error ? error.message : String(error) }
  }
}

async function readStoppedData(dataDir: string): Promise<CurrentData> {
  const config = readConfig({ DATA_DIR: dataDir })
  const { uri, stop } = await openCliDatabase(config, { canCreate: false })
  const database = await connectDatabase({ mongodbUri: uri })
  try {
    const { connection } = database
    const ids: Ids = new Map()
    for (const name of Object.keys(labels)) {
      const filter = name === 'recordings' ? { deletedAt: null } : {}
      const found = connection.collection(name).find(filter, { projection: { _id: 1 } })
      ids.set(name, new Set((await found.toArray()).map(({ _id }) => String(_id))))
    }
    const [dataVersion, writtenBy] = await Promise.all([readDataVersion(connection), findWritingVersion(connection)])
    return { dataVersion, writtenBy, ids }
  } finally {
    await database.close()
    await stop()
  }
}

/** Returns sentences on what going back to a restore point undoes. */
export function describeLoss(point: RestorePoint, { ids: current }: CurrentData): string[] {
  if (typeof current === 'string') return [`What was made since is lost; it cannot be counted: ${current}`]
  const former = readIds(point)
  const lost = Object.entries(labels).flatMap(([name, label]) => {
    const count = countMissing(current.get(name), former.get(name))
    return count > 0 ? `  ${count} ${label}` : []
  })
  const withoutAudio = countMissing(former.get('recordings'), current.get('recordings'))
  return [
    lost.length > 0 ? 'Made since, and lost:' : 'Nothing was made since.',
    ...lost,
    'Changes since of what existed then, such as passwords, edits and deletions, are undone.',
    ...(withoutAudio > 0 ? [`${withoutAudio} recordings that were deleted since come back, without their audio.`] : []),
    ...(lost.length > 0 ? ['Audio without a recording is put aside in DATA_DIR/audio/orphans after a day.'] : []),
  ]
}

function countMissing(from: Set<string> = new Set(), other: Set<string> = new Set()): number {
  return [...from].filter((id) => !other.has(id)).length
}

function readIds({ dataFile }: RestorePoint): Ids {
  const data = openDataFile(dataFile)
  try {
    const ids: Ids = new Map()
    for (const { name, documents } of data.collections('awaz')) {
      if (!Object.hasOwn(labels, name)) continue
      const found = new Set<string>()
      for (const bytes of documents()) {
        const { _id, deletedAt } = BSON.deserialize(bytes)
        if (name !== 'recordings' || !deletedAt) found.add(String(_id))
      }
      ids.set(name, found)
    }
    return ids
  } finally {
    data.close()
  }
}
