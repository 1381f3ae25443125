import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import { databaseName } from '#data/connect.ts'
import { openCliDatabase } from '../../admin/database.ts'
import { formatTable } from '../../cli/format-table.ts'
import { runWithStatus } from '../../cli/interruptible.ts'
import { recordAudit } from './audit.ts'
import { readKeys, type BackupOptionValues } from '../options.ts'
import { createDecrypter } from '../read/archive-key.ts'
import type { RehearsalCheck } from '../rehearse/rehearsal-check.ts'
import { rehearseBackup } from '../rehearse/rehearse-backup.ts'

interface CommandInput {
  values: BackupOptionValues & { scratch?: string | undefined; json: boolean }
  config: Config
}

/** `awaz backup rehearse FILE`. Returns 1 where a check fails, and 130 where a signal ended it. */
export async function rehearse(path: string, { values, config }: CommandInput): Promise<number> {
  const decrypter = createDecrypter(await readKeys(values, config.backup))
  return runWithStatus(
    async ({ progress, signal }) => {
      const checks = await rehearseBackup({
        path,
        decrypter,
        signal,
        ...(values.scratch !== undefined && { scratchDir: values.scratch }),
        onStage: (stage) => progress.begin(stage),
        onProgress: (done, total) => progress.update(done, total),
      }).catch(async (error: unknown) => {
        // A damaged archive ends the rehearsal before the first check.
        if (!signal.aborted) await recordRehearsal(config, { path, isPassed: false, signal })
        throw error
      })
      progress.end()
      const status = values.json ? reportJson(checks) : report(path, checks)
      await recordRehearsal(config, { path, isPassed: status === 0, signal })
      return status
    },
    { interrupted: 'Interrupted; the rehearsal did not finish, and its files were removed.' },
  )
}

/** Adds an audit entry where this machine has an instance's database. A rehearsal elsewhere leaves no entry. */
async function recordRehearsal(
  config: Config,
  { path, isPassed, signal }: { path: string; isPassed: boolean; signal: AbortSignal },
): Promise<void> {
  try {
    const { uri, stop } = await openCliDatabase(config, { canCreate: false })
    const event = { action: 'backup.rehearse' as const, details: path }
    await recordAudit(
      { uri, dbName: databaseName(uri) },
      { ...event, outcome: isPassed ? 'success' : 'failure' },
      { signal },
    ).finally(stop)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return
    const reason = error instanceof Error ? error.message : String(error)
    console.error(`The audit trail of this machine has no entry for this rehearsal: ${reason}`)
  }
}

function reportJson(checks: RehearsalCheck[]): number {
  console.log(JSON.stringify(checks, null, 2))
  return checks.every(({ isPassed }) => isPassed) ? 0 : 1
}

function report(path: string, checks: RehearsalCheck[]): number {
  const empty = checks.filter(isEmptyCollection)
  const others = checks.filter((check) => !isEmptyCollection(check))
  const emptyRows = empty.length === 0 ? [] : [['ok', `documents in ${empty.length} empty collections`, '0', '0']]
  console.log(formatTable([['', 'check', 'backup', 'restored'], ...emptyRows, ...others.map(toRow)]))
  const failed = checks.filter(({ isPassed }) => !isPassed).length
  console.log(
    failed === 0
      ? `\n${path} restores: ${checks.length} of ${checks.length} checks passed.`
      : `\n${failed} checks failed.`,
  )
  return failed === 0 ? 0 : 1
}

/** Most collections are empty in a small instance, and would hide the rows that matter. */
function isEmptyCollection({ code, expected, isPassed }: RehearsalCheck): boolean {
  return code === 'documents' && expected === '0' && isPassed
}

function toRow({ name, expected, found, isPassed }: RehearsalCheck): string[] {
  return [isPassed ? 'ok' : 'FAILED', name, expected, found]
}
