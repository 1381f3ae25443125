import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { listRecords } from '../backup/store/backup-record.ts'

interface ScheduleOptions {
  /** BACKUP_DIR. */
  folder: string
  /** BACKUP_TIME, `HH:MM` by the clock of this host. */
  time: string
  /** Of the command, which reads everything else from it. */
  env: NodeJS.ProcessEnv
  onLine: (line: string) => void
  /** No backup is made before: a new server has no keys yet. Default: at once. */
  ready?: Promise<void>
  checkMs?: number
  now?: () => Date
}

export interface BackupSchedule {
  /** Sends SIGTERM to a running backup, then SIGKILL after `graceMs`; neither leaves one. Resolves when it has ended. */
  stop(graceMs: number): Promise<void>
}

const command = [join(import.meta.dirname, '..', 'awaz.ts'), 'backup', '--prune']
const defaultCheckMs = 60_000
const retryAfterMs = 60 * 60_000
/** Lower than that of everything else: a backup only takes the processor's time that is left. */
const priority = 10

/**
 * Makes a backup every day, in a process of its own: `awaz backup --prune`. One that was due while nothing ran is made at the start; one
 * that failed is tried again after an hour. Everything goes by the wall clock and the backups in the folder, so that a sleep or a changed
 * clock skips none.
 */
export function startBackupSchedule({
  folder,
  time,
  env,
  onLine,
  ready = Promise.resolve(),
  checkMs = defaultCheckMs,
  now = () => new Date(),
}: ScheduleOptions): BackupSchedule {
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()
  let failedAt: Date | undefined
  let isStopped = false

  async function check(): Promise<void> {
    if (child) return
    if (failedAt && Math.abs(now().getTime() - failedAt.getTime()) < retryAfterMs) return
    if (!isDue({ time, newest: await findNewest(folder), now: now() }) || isStopped || child) return
    ended = run()
    await ended
  }

  async function run(): Promise<void> {
    child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    lower(child)
    if (child.stderr)
      createInterface({ input: child.stderr }).on('line', (line) => isProgress(line) || onLine(line.trim()))
    const [code] = (await once(child, 'close').catch((error: unknown) => [String(error)])) as unknown[]
    child = undefined
    failedAt = code === 0 ? undefined : now()
    if (failedAt && !isStopped) onLine(`The daily backup failed (${String(code)}). It is tried again in an hour.`)
  }

  const poll = () => void check().catch((error: unknown) => onLine(`The daily backup failed: ${String(error)}`))
  let timer: NodeJS.Timeout | undefined
  async function begin(): Promise<void> {
    await ready
    if (isStopped) return
    timer = setInterval(poll, checkMs)
    poll()
  }

  void begin()
  return {
    async stop(graceMs) {
      isStopped = true
      clearInterval(timer)
      child?.kill('SIGTERM')
      const killTimer = setTimeout(() => child?.kill('SIGKILL'), graceMs)
      await ended
      clearTimeout(killTimer)
    },
  }
}

interface Due {
  time: string
  /** When the newest backup was made. */
  newest: Date | undefined
  now: Date
}

/** Whether no backup was made since the last time of day `time`. */
export function isDue({ time, newest, now }: Due): boolean {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const last = new Date(now)
  last.setHours(hours, minutes, 0, 0)
  if (last > now) last.setDate(last.getDate() - 1)
  return newest === undefined || newest < last
}

async function findNewest(folder: string): Promise<Date | undefined> {
  const { records } = await listRecords(folder).catch(() => ({ records: [] }))
  const newest = records.at(-1)
  return newest && new Date(newest.createdAt)
}

function isProgress(line: string): boolean {
  return /^(Copying|Storing)/.test(line)
}

function lower({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // It has ended, or this system has no priorities.
  }
}
