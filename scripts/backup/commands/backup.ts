import { AppError } from '#contract/app-error.ts'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { systemClock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import { connectDatabase, databaseName } from '#data/connect.ts'
import { createAudit, systemOrigin } from '#server/features/audit/service.ts'
import { openCliDatabase } from '../../admin/database.ts'
import { withProgress } from '../../cli/interruptible.ts'
import { backUpToFolder, backUpToStream, type BackupOptions } from '../create/create-backup.ts'
import { readProtection, type BackupValues } from '../options.ts'
import { pruneFolder } from '../store/prune.ts'
import { describeBytes } from './describe.ts'

interface CommandInput {
  values: BackupValues & { models: boolean; prune: boolean }
  config: Config
}

/** Exit status of a command that a signal ended: 128 + SIGINT. */
const interruptedStatus = 130

/** `awaz backup DIR|-`. Returns 0, or 130 where Ctrl-C ended it: no backup was made then. */
export async function runBackup(target: string, { values, config }: CommandInput): Promise<number> {
  const protection = await readProtection(values, config.backup)
  if (target === '-' && process.stdout.isTTY) {
    throw new AppError('invalid_input', 'A backup is not for a terminal: redirect standard output to a file.')
  }
  const { uri, stop } = await openCliDatabase(config, { canCreate: false })
  const dbName = databaseName(uri)
  const { dataDir, modelsDir } = config
  try {
    return await withProgress(async ({ progress, signal }) => {
      const options = { dataDir, modelsDir, uri, dbName, protection, withModels: values.models, progress, signal }
      try {
        const details = await backUp(target, options)
        if (values.prune && target !== '-') console.error(await prune(target, config))
        await recordAudit({ uri, dbName }, { outcome: 'success', details })
        return 0
      } catch (error) {
        progress.end()
        const details = signal.aborted ? 'interrupted' : reasonOf(error)
        await recordAudit({ uri, dbName }, { outcome: 'failure', details }).catch(() => undefined)
        if (!signal.aborted) throw error
        console.error('Interrupted; no backup was made.')
        return interruptedStatus
      }
    })
  } finally {
    await stop()
  }
}

/** Makes the backup, prints what it holds, and returns a line for the audit trail. */
async function backUp(target: string, options: BackupOptions & { progress: { end(): void } }): Promise<string> {
  const manifest = target === '-' ? await backUpToStream(process.stdout, options) : undefined
  if (manifest) {
    options.progress.end()
    const documents = manifest.database.collections.reduce((sum, collection) => sum + collection.documents, 0)
    console.error(`Backed up ${documents} documents and their recordings to standard output.`)
    warnOfSound(manifest.missingSound, manifest.damagedSound)
    return `${documents} documents to standard output`
  }
  const { path, record, manifest: made, reusedBlobs } = await backUpToFolder(target, options)
  options.progress.end()
  const { documents, recordings, newBytes } = record
  console.error(`Backed up ${documents} documents and ${recordings} recordings to ${path}`)
  console.error(`  ${describeBytes(newBytes)} written; ${reusedBlobs} files were in the folder already`)
  warnOfSound(made.missingSound, made.damagedSound)
  return `${path}: ${documents} documents, ${recordings} recordings, ${describeBytes(newBytes)} written`
}

function warnOfSound(missing: string[], damaged: string[]): void {
  if (missing.length > 0) console.error(`  The sound of ${missing.length} recordings is missing: ${sample(missing)}`)
  if (damaged.length > 0)
    console.error(`  The sound of ${damaged.length} recordings is not what was uploaded: ${sample(damaged)}`)
}

function sample(ids: string[]): string {
  return ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and others` : ids.join(', ')
}

async function prune(folder: string, { backup }: Config): Promise<string> {
  const { removed, sizeBytes, problem } = await pruneFolder(folder, backup.keep)
  if (problem) return `  Nothing was deleted: ${problem}`
  return `  ${removed} old backups deleted, ${describeBytes(sizeBytes)} freed`
}

async function recordAudit(
  { uri, dbName }: { uri: string; dbName: string },
  { outcome, details }: { outcome: 'success' | 'failure'; details: string },
): Promise<void> {
  const database = await connectDatabase({ mongodbUri: uri }, { dbName })
  try {
    const audit = createAudit({ events: createAuditEventRepository(database.connection), clock: systemClock })
    await audit.record({ action: 'backup.create', outcome, actor: { email: 'command line' }, details }, systemOrigin)
  } finally {
    await database.close()
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
