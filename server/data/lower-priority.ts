import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'

/** A lower priority than that of server and engine. */
const niceness = 10

/** Gives a child process only the CPU time that server and engine leave. */
export function lowerPriority({ pid }: Pick<ChildProcess, 'pid'>): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // The process has exited, or the system forbids it: that slows others down, but is no reason to fail.
  }
}
