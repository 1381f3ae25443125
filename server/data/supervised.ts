import type { MigrationProgress } from './migrations/migration-records.ts'

const heartbeatIntervalMs = 1000

/** Exit status of a process that could not start or continue for a temporary reason: `EX_TEMPFAIL` of sysexits. */
export const temporaryFailure = 75

/** Exit status of a process that cannot start before a person has changed something: `EX_CONFIG` of sysexits. */
export const permanentFailure = 78

const send = (message: string) => {
  if (process.connected) process.send?.(message, () => undefined) // the supervisor may have exited
}

/**
 * Reports to the supervisor once a second that this process's event loop runs, so that one that hangs is replaced. Returns a function
 * that reports the process as ready: one that exits before counts as failed at start (scripts/supervisor/service.ts).
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

/** Reports to the supervisor how far a migration is, for the terminal. */
export function reportMigration({ name, unit, done, total }: MigrationProgress): void {
  send(`migrating ${name}${total > 0 ? `: ${done} of ${total} ${unit}` : ''}`)
}

/** Sent to the supervisor, and by it to the other processes of this host. */
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
 * Resolves with the reason when this process is signalled to stop, or when its parent has exited. From then on it exits after
 * `limitsMs` at the latest: a shutdown that hangs, on the database or on a client that reads nothing, must not keep an orphan alive.
 */
export function untilStopped(limitsMs = { signalled: 7000, orphaned: 3000 }): Promise<string> {
  return new Promise((resolve) => {
    const stop = (reason: string) => {
      setTimeout(() => process.exit(1), reason === 'disconnect' ? limitsMs.orphaned : limitsMs.signalled).unref()
      resolve(reason)
    }
    for (const reason of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.once(reason, () => stop(reason))
    // The parent exited before this process listened. Undefined where there never was a channel.
    if (process.connected === false) stop('disconnect')
  })
}
