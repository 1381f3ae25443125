import { readFileSync } from 'node:fs'

/** State and parent of a process as Linux shows them, or undefined when it is gone. See proc_pid_stat(5). */
function readStat(pid: number): { state: string; parent: number } | undefined {
  try {
    // The name stands in brackets and may hold anything.
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

/** Ends a process group at once: a service and everything it started. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}

/**
 * The processes that started this one and stand for it: bootstrap, and where npm runs us the shell and npm themselves. Empty when
 * started otherwise; a shell that ends after `nohup node scripts/start.ts &` takes nothing with it.
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
 * Calls back when one of the launchers is gone, so that ending any of them ends the product: a signal that cannot be handed on, as
 * SIGKILL, or that npm or a shell keeps to itself, leaves us without a parent and says nothing.
 */
export function onLauncherGone(launchers: number[], listener: () => void): void {
  if (launchers.length === 0) return
  const timer = setInterval(() => {
    // A process that ended gives its children to another; its number alone may belong to a new process.
    const isWhole = launchers.every((pid, index) => {
      const child = index === 0 ? process.pid : launchers[index - 1]
      return child !== undefined && readStat(child)?.parent === pid
    })
    if (isWhole) return
    clearInterval(timer)
    listener()
  }, 500)
  timer.unref()
}
