import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { withLock } from '#engine/models/store/lock-file.ts'
import { listRecords, recordPath, type BackupRecord, type RecordList } from './backup-record.ts'
import { removeUnusedBlobs } from './blob-store.ts'
import { chooseKept, type KeepRules } from './keep-rules.ts'

export interface PruneResult {
  /** Names of the archives deleted. */
  removed: string[]
  /** Bytes of all files deleted. */
  sizeBytes: number
  /** Why nothing was deleted. */
  problem?: string
}

interface PruneOptions {
  /** Whether to keep backups made by hand regardless of the rules. Default false. */
  keepsManual?: boolean
}

/**
 * Deletes the backups of a folder that no rule keeps, then the files that no backup refers to. Deletes nothing where a record cannot be
 * read or is missing: the files that its archive refers to are unknown.
 */
export async function pruneFolder(
  folder: string,
  rules: KeepRules,
  { keepsManual = false }: PruneOptions = {},
): Promise<PruneResult> {
  return withLock(
    join(folder, 'backup'),
    async () => {
      const { records, ...incomplete } = await listRecords(folder)
      const problem = describeProblem(incomplete)
      if (problem !== undefined) return { removed: [], sizeBytes: 0, problem }
      const isSubject = ({ isRegular }: BackupRecord) => isRegular === true || !keepsManual
      const others = records.filter((record) => !isSubject(record))
      const kept = new Set([...chooseKept(records.filter(isSubject), rules), ...others])
      const removed = records.filter((record) => !kept.has(record))
      for (const { archive } of removed) {
        // The record goes first: an archive without one is not listed.
        const path = join(folder, archive.name)
        await rm(recordPath(path), { force: true })
        await rm(path, { force: true })
      }
      const used = new Set([...kept].flatMap(({ blobs }) => blobs.map(({ name }) => name)))
      const blobs = await removeUnusedBlobs(folder, used)
      const archiveBytes = removed.reduce((sum, { archive }) => sum + archive.sizeBytes, 0)
      return { removed: removed.map(({ archive }) => archive.name), sizeBytes: archiveBytes + blobs.sizeBytes }
    },
    { subject: 'a backup in this folder' },
  )
}

function describeProblem({ unreadable, unrecorded }: Omit<RecordList, 'records'>): string | undefined {
  const [damaged] = unreadable
  if (damaged) return `${damaged.path} is damaged: ${damaged.problem}.`
  const [archive] = unrecorded
  if (archive === undefined) return undefined
  return `${archive} has no record. Put ${basename(recordPath(archive))} back, or delete the archive if it is not needed.`
}
