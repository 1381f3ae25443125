import type { Config } from '#data/config.ts'
import { runWithStatus } from '../../cli/interruptible.ts'
import { readKeys, type BackupOptionValues } from '../options.ts'
import { createDecrypter } from '../read/archive-key.ts'
import { rehearseBackup, type RehearsalCheck } from '../rehearse/rehearse-backup.ts'

interface CommandInput {
  values: BackupOptionValues & { scratch?: string | undefined }
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
      })
      progress.end()
      return report(path, checks)
    },
    { interrupted: 'Interrupted; the rehearsal did not finish, and its files were removed.' },
  )
}

function report(path: string, checks: RehearsalCheck[]): number {
  console.log(table(checks))
  const failed = checks.filter(({ isPassed }) => !isPassed).length
  console.log(
    failed === 0
      ? `\n${path} restores: ${checks.length} of ${checks.length} checks passed.`
      : `\n${failed} checks failed.`,
  )
  return failed === 0 ? 0 : 1
}

function table(checks: RehearsalCheck[]): string {
  const rows = [['', 'check', 'backup', 'restored'], ...checks.map(toRow)]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function toRow({ name, expected, found, isPassed }: RehearsalCheck): string[] {
  return [isPassed ? 'ok' : 'FAILED', name, expected, found]
}
