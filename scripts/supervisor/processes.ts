import { readFileSync } from 'node:fs'

/** Returns the state and parent of a process, or undefined if it has exited. See proc_pid_stat(5). */
function readStat(pid: number): { state: string; parent: number } | undefined {
  try {
    // The process name is in parentheses and may contain any character.
    const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

/** Whether a signal or a debugger stopped the process. */
export function isStopped(pid: number | undefined): boolean {
  return pid !== undefined && /^[Tt]$/.test(readStat(pid)?.state ?? '')
}

/** Kills a process group: a service and all its children. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has exited.
  }
}

/**
 * Returns the processes whose exit must end this one: bootstrap, and under npm also the shell and npm. Empty if started otherwise: a shell
 * that exits after `nohup node scripts/start.ts &` must not end this process.
 */
export function findLaunchers(env: NodeJS.ProcessEnv): number[] {
  const chain: number[] = []
  const found: number[] = []
  for (let pid = process.ppid; pid > 1 && chain.length < 4; pid = readStat(pid)?.parent ?? 0) {
    chain.push(pid)
    const command = readCommand(pid)
    const isNpm = env.npm_lifecycle_event !== undefined && /^npm\b|npm-cli\.js/.test(command)
    if (isNpm || (chain.length === 1 && command.includes('bootstrap.mjs'))) found.splice(0, found.length, ...chain)
    if (isNpm) break
  }
  return found
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/**
 * Calls `listener` when one of the launchers has exited, so that ending any of them ends the product: after SIGKILL, or a signal that npm
 * or a shell does not pass on, this process loses its parent without being notified.
 */
export function onLauncherExit(launchers: number[], listener: () => void): void {
  if (launchers.length === 0) return
  const timer = setInterval(() => {
    // Checks parents too: children of a dead process get another parent, whereas a process id may be reused.
    const isChainIntact = launchers.every((pid, index) => {
      const child = index === 0 ? process.pid : launchers[index - 1]
      return child !== undefined && readStat(child)?.parent === pid
    })
    if (isChainIntact) return
    clearInterval(timer)
    listener()
  }, 500)
  timer.unref()
}
