import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface ServiceOptions {
  name: string
  /** Script and arguments for this Node. */
  args: string[]
  env: NodeJS.ProcessEnv
  /** Start it again when it ends by itself. Default false: its end is final and `ended` resolves. */
  isRestarted?: boolean
  onLine: (line: string) => void
}

export interface Service {
  /** The exit status of a service that is not restarted, or of one that was stopped. */
  ended: Promise<number>
  /** SIGTERM, then SIGKILL after `graceMs`. Resolves when the process is gone. */
  stop(graceMs: number): Promise<void>
}

const firstDelayMs = 500
const longestDelayMs = 30_000
/** A process that lived this long was healthy: the next restart is quick again. */
const healthyAfterMs = 60_000

/**
 * Runs one process of the product. It is a process group of its own, so that a terminal's Ctrl-C reaches only the supervisor,
 * which then stops the services in order; the IPC channel closes when the supervisor dies, and each service ends itself on that.
 */
export function startService({ name, args, env, isRestarted = false, onLine }: ServiceOptions): Service {
  const ended = Promise.withResolvers<number>()
  let child: ChildProcess
  let isStopping = false
  let delayMs = firstDelayMs
  let restartTimer: NodeJS.Timeout | undefined

  function launch() {
    const startedAt = Date.now()
    child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true })
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', onLine)
    }
    child.on('error', (error) => onLine(`${name} could not be started: ${error.message}`))
    child.on('exit', (code, signal) => {
      if (isStopping || !isRestarted) return ended.resolve(code ?? 1)
      if (Date.now() - startedAt > healthyAfterMs) delayMs = firstDelayMs
      onLine(`${name} ended (${signal ?? code}); starting it again in ${delayMs / 1000} s`)
      restartTimer = setTimeout(launch, delayMs)
      delayMs = Math.min(delayMs * 2, longestDelayMs)
    })
  }

  async function stop(graceMs: number) {
    isStopping = true
    clearTimeout(restartTimer)
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    const killTimer = setTimeout(() => child.kill('SIGKILL'), graceMs)
    await gone
    clearTimeout(killTimer)
  }

  launch()
  return { ended: ended.promise, stop }
}
