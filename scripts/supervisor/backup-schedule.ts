import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { lowerPriority } from '#data/lower-priority.ts'

interface ScheduleOptions {
  /** BACKUP_DIR. */
  folder: string
  /** BACKUP_TIME, `HH:MM` by the clock of this host. */
  time: string
  /** Environment of the command, which reads everything else from it. */
  env: NodeJS.ProcessEnv
  /** Called with lines that someone should read. */
  onLine: (line: string) => void
  /** Called with lines about what went well. */
  onInfo: (line: string) => void
  /** No backup is made before this resolves, as a new server has no keys yet. Default: resolved. */
  ready?: Promise<void>
  checkMs?: number
  now?: () => Date
}

export interface BackupSchedule {
  /** Sends SIGTERM to a running backup, then SIGKILL after `graceMs`; either discards it. Resolves when it has exited. */
  stop(graceMs: number): Promise<void>
}

const command = [join(import.meta.dirname, '..', 'awaz.ts'), 'backup', '--prune']
const defaultCheckMs = 60_000
const retryAfterMs = 60 * 60_000

/**
 * Makes a backup every day, in a separate process: `awaz backup --prune`. One that fell due while Awaz was not running is made at the
 * start; one that failed is retried after an hour. The schedule depends only on the wall clock and the backups in the folder, so that no
 * backup is skipped when the machine sleeps or its clock changes.
 */
export function startBackupSchedule({
  folder,
  time,
  env,
  onLine,
  onInfo,
  ready = Promise.resolve(),
  checkMs = defaultCheckMs,
  now = () => new Date(),
}: ScheduleOptions): BackupSchedule {
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()
  let failedAt: Date | undefined
  let isStopped = false
  const reported = new Set<string>()

  async function check(): Promise<void> {
    if (child) return
    if (failedAt && Math.abs(now().getTime() - failedAt.getTime()) < retryAfterMs) return
    const { newest, future } = await findNewest(folder, now())
    reportFuture(future)
    if (!isDue({ time, newest, now: now() }) || isStopped || child) return
    ended = run()
    await ended
  }

  function reportFuture(names: string[]): void {
    for (const name of names.filter((name) => !reported.has(name))) {
      reported.add(name)
      onLine(`${name} is dated in the future. It does not count as a backup of today; check the clock of this host.`)
    }
  }

  async function run(): Promise<void> {
    child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    lowerPriority(child)
    if (child.stderr)
      createInterface({ input: child.stderr }).on('line', (line) => {
        if (isProgress(line)) return
        if (isSuccess(line)) onInfo(line.trim())
        else onLine(line.trim())
      })
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

/** Whether no backup has been made since the last time of day `time`. */
export function isDue({ time, newest, now }: Due): boolean {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const last = new Date(now)
  last.setHours(hours, minutes, 0, 0)
  if (last > now) last.setDate(last.getDate() - 1)
  return newest === undefined || newest < last
}

const recordName = /^awaz-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?\.json$/

/**
 * Returns when the newest backup up to `now` was made, and the names of records that are dated later, which a wrong clock causes. Uses only
 * the names of the records: this runs every minute, and reading them all takes time.
 */
async function findNewest(folder: string, now: Date): Promise<{ newest: Date | undefined; future: string[] }> {
  // A folder that cannot be read counts as having no backup: the next one is then due, and reports why it fails.
  const names = await readdir(folder).catch(() => [])
  const dated = names.flatMap((name) => {
    const [, ...parts] = recordName.exec(name) ?? []
    const [year = 0, month = 0, day = 0, ...time] = parts.map(Number)
    return parts.length === 0 ? [] : [{ name, madeAt: new Date(Date.UTC(year, month - 1, day, ...time)) }]
  })
  const past = dated.filter(({ madeAt }) => madeAt <= now).map(({ madeAt }) => madeAt.getTime())
  return {
    newest: past.length === 0 ? undefined : new Date(Math.max(...past)),
    future: dated.filter(({ madeAt }) => madeAt > now).map(({ name }) => name),
  }
}

function isProgress(line: string): boolean {
  return /^(Copying|Storing)/.test(line)
}

/** Whether a line is one of the three that a successful backup prints: what it holds, what was written, what was deleted. */
function isSuccess(line: string): boolean {
  return /^Backed up |^ {2}[\d.]+ [MG]B written; |^ {2}(No|One|\d+) old backups? /.test(line)
}
