import type { MigrationProgress } from './migrations/migration-records.ts'

const heartbeatIntervalMs = 1000

/** Exit status of a process that could not start or continue for a temporary reason: `EX_TEMPFAIL` in sysexits. */
export const temporaryFailure = 75

/** Exit status of a process that cannot start until a person changes something: `EX_CONFIG` in sysexits. */
export const permanentFailure = 78

const send = (message: string) => {
  if (process.connected) process.send?.(message, () => undefined) // the supervisor may have exited
}

/**
 * Reports to the supervisor once a second that this process's event loop runs, so that a hanging process is replaced. Returns a function
 * that reports the process as ready: a process that exits earlier counts as failed at start (scripts/supervisor/service.ts).
 */
export function reportToSupervisor(): () => void {
  send('alive')
  setInterval(() => send('alive'), heartbeatIntervalMs).unref()
  return () => send('ready')
}

/** Reports to the supervisor where the server listens; the log may omit it at higher log levels. */
export function reportAddress(url: string): void {
  send(`listening ${url}`)
}

/** Reports the progress of a migration to the supervisor, for the terminal. */
export function reportMigration({ name, unit, done, total }: MigrationProgress): void {
  send(`migrating ${name}${total > 0 ? `: ${done} of ${total} ${unit}` : ''}`)
}

/** Sent to the supervisor, which forwards it to the other processes of this host. */
const wakeMessage = 'wake'

/** Wakes the other processes of this host: there is work for them (activity.ts). */
export function wakeOthers(): void {
  send(wakeMessage)
}

/** Calls `listener` when another process of this host wakes this one. */
export function onWake(listener: () => void): void {
  process.on('message', (message) => message === wakeMessage && listener())
}

/**
 * Resolves with the reason when this process is signaled to stop, or when its parent has exited. It then exits after `limitsMs` at the
 * latest: a shutdown that hangs on the database, or on a client that reads nothing, must not keep an orphan alive.
 */
export function untilStopped(limitsMs = { signalled: 7000, orphaned: 3000 }): Promise<string> {
  return new Promise((resolve) => {
    const stop = (reason: string) => {
      setTimeout(() => process.exit(1), reason === 'disconnect' ? limitsMs.orphaned : limitsMs.signalled).unref()
      resolve(reason)
    }
    for (const reason of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.once(reason, () => stop(reason))
    // False if the parent exited before this process listened; undefined if there never was a channel.
    if (process.connected === false) stop('disconnect')
  })
}
