import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import { databaseName } from '#data/connect.ts'
import { openCliDatabase } from '../../admin/database.ts'
import { withCommandName } from '../../cli/command-name.ts'
import { interruptedStatus, withProgress } from '../../cli/interruptible.ts'
import { requireCompleteOutput } from '../../cli/run-command.ts'
import { backUpToFolder, backUpToStream, type BackupOptions } from '../create/create-backup.ts'
import type { BackupManifest } from '../format/manifest.ts'
import { readProtection, type BackupOptionValues } from '../options.ts'
import { listRecords, type BackupRecord } from '../store/backup-record.ts'
import { pruneFolder } from '../store/prune.ts'
import { recordAudit } from './audit.ts'
import { assertFolderExists } from './backup-folder.ts'
import {
  describeBytes,
  describeDamagedCount,
  describeFaulty,
  describePruned,
  listDocumentNames,
  listFirst,
} from './describe.ts'

interface CommandInput {
  values: BackupOptionValues & { models: boolean; prune: boolean; 'check-all': boolean }
  config: Config
}

interface MadeBackup {
  /** For the audit trail. */
  details: string
  /** Set for a backup in a folder. */
  record?: BackupRecord
}

/**
 * `awaz backup DIR|-`. Returns 0, or 130 where a signal ended it: no backup was made then. A failure after the backup is made (an entry in
 * the audit trail, deleting old backups) is only reported.
 */
export async function runBackup(target: string, { values, config }: CommandInput): Promise<number> {
  const encryption = await readProtection(values, config.backup)
  if (target === '-' && process.stdout.isTTY) {
    throw new AppError('invalid_input', 'A backup is not for a terminal: redirect standard output to a file.')
  }
  if (target !== '-') await assertFolderExists(target)
  const { uri, stop } = await openCliDatabase(config, { canCreate: false })
  const dbName = databaseName(uri)
  const { dataDir, audioCopyBytes, modelsDir } = config
  try {
    return await withProgress(async ({ progress, signal }) => {
      const options = {
        dataDir,
        audioCopyBytes,
        modelsDir,
        uri,
        dbName,
        encryption,
        withModels: values.models,
        isThorough: values['check-all'],
        isRegular: values.prune,
        progress,
        signal,
      }
      let made: MadeBackup
      try {
        made = await backUp(target, options)
      } catch (error) {
        progress.end()
        const details = signal.aborted ? 'interrupted' : reasonOf(error)
        const event = { action: 'backup.create', outcome: 'failure', details } as const
        // The wait for this very database may be what failed or was interrupted.
        await recordAudit({ uri, dbName }, event, { firstConnectionTimeoutMs: 1000 }).catch(() => undefined)
        if (!signal.aborted) throw error
        console.error('Interrupted; no backup was made.')
        return interruptedStatus
      }
      const event = { action: 'backup.create', outcome: 'success', details: made.details } as const
      await recordAudit({ uri, dbName }, event, { signal }).catch((error: unknown) =>
        console.error(`  The audit trail has no entry for this backup: ${reasonOf(error)}`),
      )
      if (values.prune && made.record) console.error(await prune(target, { config, record: made.record }))
      return 0
    })
  } finally {
    await stop()
  }
}

/** Makes the backup and prints what it holds. */
async function backUp(target: string, options: BackupOptions & { progress: { end(): void } }): Promise<MadeBackup> {
  if (target === '-') return backUpToOutput(options)
  const { path, record, manifest, reusedBlobs } = await backUpToFolder(target, options)
  options.progress.end()
  const { documents, damagedDocuments, recordings, faultyRecordings, newBytes } = record
  console.error(`Backed up ${documents} documents and ${recordings} recordings to ${path}`)
  console.error(`  ${describeBytes(newBytes)} written; ${reusedBlobs} files were in the folder already`)
  warnOfFaults(manifest)
  warnOfHeld(manifest, path)
  const held = `${documents} documents${describeDamagedCount(damagedDocuments)}`
  const { length: lost } = manifest.heldAudio
  const onServer = lost === 0 ? '' : ` (${lost} missing or of another size on the server)`
  const counts = `${held}, ${recordings} recordings${describeFaulty(faultyRecordings)}${onServer}`
  return { details: `${path}: ${counts}, ${describeBytes(newBytes)} written`, record }
}

async function backUpToOutput(options: BackupOptions & { progress: { end(): void } }): Promise<MadeBackup> {
  requireCompleteOutput()
  const manifest = await backUpToStream(process.stdout, options).catch((cause: unknown) => {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EPIPE')) throw cause
    const message = 'Standard output was closed before the end of the backup. What was written is not a backup.'
    throw new AppError('unavailable', message, { cause })
  })
  options.progress.end()
  const documents = manifest.database.collections.reduce((sum, collection) => sum + collection.documents, 0)
  console.error(`Backed up ${documents} documents and their recordings to standard output.`)
  warnOfFaults(manifest)
  const damaged = describeDamagedCount(manifest.damagedDocuments.length)
  const faulty = describeFaulty(manifest.missingAudio.length + manifest.damagedAudio.length)
  return { details: `${documents} documents${damaged} to standard output${faulty}` }
}

function warnOfFaults({ missingAudio: missing, damagedAudio: damaged, damagedDocuments }: BackupManifest): void {
  if (missing.length > 0)
    console.error(`  The audio of ${countRecordings(missing.length)} is missing: ${listFirst(missing)}`)
  if (damaged.length > 0)
    console.error(`  The audio of ${countRecordings(damaged.length)} is not what was uploaded: ${listFirst(damaged)}`)
  if (damagedDocuments.length > 0) {
    const names = listDocumentNames(damagedDocuments)
    const what = damagedDocuments.length === 1 ? 'One document is' : `${damagedDocuments.length} documents are`
    console.error(`  ${what} not what was stored, by the checksum: ${names}`)
  }
}

function countRecordings(count: number): string {
  return count === 1 ? 'one recording' : `${count} recordings`
}

/** Warns of audio that is missing on the server although the backup is whole: nothing else would until someone plays it. */
function warnOfHeld({ heldAudio: held }: BackupManifest, path: string): void {
  if (held.length === 0) return
  const is = `is missing on this server, or has another size than what was uploaded: ${listFirst(held)}`
  console.error(`  The sound of ${countRecordings(held.length)} ${is}`)
  const command = `npm run awaz -- restore ${path} --all-damaged`
  console.error(withCommandName(`  This backup holds it whole, from earlier ones. ${command} puts it back.`))
}

/**
 * Deletes old backups that were also made with `--prune`, and returns a line about it. Deletes none where more audio or more documents are
 * missing or damaged than in the previous backup: the old ones may hold them whole.
 */
async function prune(folder: string, { config, record }: { config: Config; record: BackupRecord }): Promise<string> {
  try {
    const { records } = await listRecords(folder)
    const previous = records.filter(({ createdAt }) => createdAt < record.createdAt).at(-1)
    if (previous && record.faultyRecordings > previous.faultyRecordings) {
      return '  Nothing was deleted: more audio is missing or damaged than in the previous backup.'
    }
    if (previous && (record.damagedDocuments ?? 0) > (previous.damagedDocuments ?? 0)) {
      return '  Nothing was deleted: more documents are damaged than in the previous backup.'
    }
    const { problem, ...pruned } = await pruneFolder(folder, config.backup.keep, { keepsManual: true })
    return problem ? `  Nothing was deleted: ${problem}` : `  ${describePruned(pruned)}`
  } catch (error) {
    return `  The backup was made, but old ones could not be deleted: ${reasonOf(error)}`
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
