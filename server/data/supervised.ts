const aliveEveryMs = 1000

/** Exit status of a process that could not start, or go on, for a reason that passes: `EX_TEMPFAIL` of sysexits. */
export const temporaryFailure = 75

const send = (message: string) => {
  if (process.connected) process.send?.(message, () => undefined) // the supervisor may be gone by now
}

/**
 * Tells the supervisor once a second that this process's event loop turns, so that one that hangs is replaced. Returns a function
 * that says, once, that the process does its work: what ends before that is a fault at start (scripts/supervisor/service.ts).
 */
export function reportToSupervisor(): () => void {
  send('alive')
  setInterval(() => send('alive'), aliveEveryMs).unref()
  return () => send('ready')
}

/** Tells the supervisor where the server listens; not by the log, which may leave it out. */
export function reportAddress(url: string): void {
  send(`listening ${url}`)
}

/**
 * Resolves with the reason when this process is told to stop, or when whoever started it is gone. From then on it has the time of
 * `limitsMs` at most: what hangs in stopping, a database away or a client that reads nothing, must not keep an orphan alive.
 */
export function untilStopped(limitsMs = { told: 7000, orphaned: 3000 }): Promise<string> {
  return new Promise((resolve) => {
    const stop = (reason: string) => {
      setTimeout(() => process.exit(1), reason === 'disconnect' ? limitsMs.orphaned : limitsMs.told).unref()
      resolve(reason)
    }
    for (const reason of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.once(reason, () => stop(reason))
  })
}
