import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { RehearsalCheck, type Backup, type UpkeepRun } from '#contract/entities/upkeep.ts'
import { Moment } from '#contract/scalars.ts'
import type { AuditEventRepository } from '#data/audit/audit-events.ts'
import { readRehearsals, type LastRehearsal } from '#data/audit/rehearsals.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { SystemFactRepository } from '#data/system/system-facts.ts'
import { keepFor } from '../state/keep-for.ts'
import type { RunCommand } from './command.ts'
import type { Runs } from './runs.ts'

interface BackupsDeps {
  config: Pick<Config, 'backup'>
  runs: Runs
  runCommand: RunCommand
  facts: Pick<SystemFactRepository, 'find' | 'set'>
  events: Pick<AuditEventRepository, 'stream'>
  clock: Clock
  /** How the command line is called on this installation. */
  commandName: string
}

/** What `awaz backup list --json` prints for each backup. */
const ListedBackup = z.object({
  name: z.string(),
  createdAt: Moment,
  version: z.string(),
  encryption: z.enum(['passphrase', 'recipients', 'none']),
  documents: z.int(),
  recordings: z.int(),
  faultyRecordings: z.int(),
  damagedDocuments: z.int().default(0),
  sizeBytes: z.number(),
  newBytes: z.number(),
})
type ListedBackup = z.infer<typeof ListedBackup>
const List = z.object({ backups: z.array(ListedBackup), unreadable: z.array(z.unknown()) })
type List = z.infer<typeof List>

const PrintedChecks = z.array(
  z
    .object({ ...RehearsalCheck.omit({ is_passed: true }).shape, isPassed: z.boolean() })
    .transform(({ isPassed, ...check }) => ({ ...check, is_passed: isPassed })),
)
const StoredRehearsal = z.object({ at: Moment, name: z.string(), checks: z.array(RehearsalCheck) })

const factName = 'upkeep_rehearsal'
const listMaxAgeMs = 60_000
const timeoutMs = { list: 60_000, rehearsal: 12 * 3_600_000 }

/** Creates what lists the backups in BACKUP_DIR for super admins and rehearses one, through `awaz backup`. */
export function createBackups({ config, runs, runCommand, facts, events, clock, commandName }: BackupsDeps) {
  const { folder, passphrase } = config.backup
  const closing = new AbortController()
  const readList = keepFor(listMaxAgeMs, async () => (folder === undefined ? emptyList() : list(folder)))

  async function list(from: string): Promise<List & { problem: string | null }> {
    const options = { signal: closing.signal, timeoutMs: timeoutMs.list }
    const { stdout, messages } = await runCommand(['backup', 'list', from, '--json'], options)
    // Nothing is printed if the folder cannot be read.
    if (stdout === '') return { ...emptyList(), problem: messages }
    return { ...List.parse(JSON.parse(stdout)), problem: null }
  }

  async function read() {
    const [{ backups, unreadable, problem }, rehearsals, text, run, isBusy] = await Promise.all([
      readList(),
      readRehearsals(events),
      facts.find(factName),
      runs.find('rehearsal'),
      runs.isBusy(),
    ])
    const last = text === null ? undefined : StoredRehearsal.safeParse(JSON.parse(text)).data
    return {
      folder: folder ?? null,
      problem,
      backups: backups.map((backup) => present(backup, rehearsals.get(backup.name))).toReversed(),
      unreadable: unreadable.length,
      last: last ?? null,
      run,
      is_busy: isBusy,
    }
  }

  function present(
    { createdAt, faultyRecordings, damagedDocuments, sizeBytes, newBytes, ...backup }: ListedBackup,
    rehearsed: LastRehearsal | undefined,
  ): Backup {
    const { name, encryption } = backup
    const key = { passphrase: ' --passphrase-file FILE', recipients: ' --identity FILE', none: '' }[encryption]
    return {
      ...backup,
      made_at: createdAt,
      faulty_recordings: faultyRecordings,
      damaged_documents: damagedDocuments,
      size_bytes: sizeBytes,
      new_bytes: newBytes,
      rehearsed: rehearsed ? { at: rehearsed.at.toISOString(), is_passed: rehearsed.isPassed } : null,
      can_open: canOpen(encryption),
      rehearse_command: `${commandName} backup rehearse ${join(folder ?? '', name)}${key}`,
    }
  }

  function canOpen(encryption: Backup['encryption']): boolean {
    return encryption === 'none' || (encryption === 'passphrase' && passphrase !== undefined)
  }

  /** Throws `not_found` for an archive that is not listed, and `conflict` if its key is elsewhere or another command is under way. */
  async function rehearse(name: string): Promise<UpkeepRun> {
    const backup = (await readList()).backups.find((each) => each.name === name)
    if (!backup || folder === undefined) throw new AppError('not_found', 'There is no such backup in BACKUP_DIR.')
    if (!canOpen(backup.encryption)) {
      throw new AppError('conflict', 'This server has no key that opens this backup.', {
        help: 'Rehearse it by the command line, where the key is.',
      })
    }
    const path = join(folder, name)
    return runs.start({ kind: 'rehearsal', subject: name }, async (context) => {
      const command = ['backup', 'rehearse', path, '--json']
      const { stdout, messages, status } = await runCommand(command, { ...context, timeoutMs: timeoutMs.rehearsal })
      // Nothing is printed if the comparison was impossible: the key is a different one, or a file is damaged.
      if (stdout === '') throw new AppError('unavailable', messages || `It ended with ${status}.`)
      const checks = PrintedChecks.parse(JSON.parse(stdout))
      await facts.set(factName, JSON.stringify({ at: new Date(clock.now()).toISOString(), name, checks }))
    })
  }

  return { read, rehearse, close: () => closing.abort(new Error('The server stops.')) }
}

function emptyList(): List & { problem: string | null } {
  return { backups: [], unreadable: [], problem: null }
}
