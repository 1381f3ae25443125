import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { isStopped, killGroup } from './processes.ts'
import { createRestartPolicy } from './restart-policy.ts'

export interface ServiceOptions {
  name: string
  /** Script and arguments for this Node. */
  args: string[]
  /** Called at each start. */
  env: () => NodeJS.ProcessEnv
  onLine: (line: string) => void
  /** Receives the messages of the process over its IPC channel. */
  onMessage?: (message: string) => void
  /** Seconds without a heartbeat after which a process counts as hung, even if it is busy computing. Default 20. */
  hungAfterSeconds?: number
  /** Delay before the first restart. */
  firstDelayMs?: number
}

export interface Service {
  name: string
  /** Resolves when the service works for the first time. */
  ready: Promise<void>
  /** Resolves with a human-readable reason when the service cannot be started. */
  failed: Promise<string>
  /** Process id of the current process. */
  pid(): number | undefined
  /** Sends a message to the current process, if one is listening. */
  send(message: string): void
  /** Sends SIGTERM, then SIGKILL after `graceMs`, also to its children. Resolves when the process has exited. */
  stop(graceMs: number): Promise<void>
}

/** How long a process may stay stopped by a signal or a debugger. */
const stoppedTimeoutSeconds = 5
/** Time until the first heartbeat: a busy machine loads the program slowly. */
const startTimeoutSeconds = 60

/**
 * Runs one process of the product and restarts it, with growing delays, whenever it exits. It is its own process group, so that a
 * terminal's Ctrl-C reaches only the supervisor, which then stops the services in order. The IPC channel closes when the supervisor dies,
 * and each service then exits; over it the process sends `alive` once a second and `ready` once.
 */
export function startService(options: ServiceOptions): Service {
  const { name, args, env, onLine, onMessage, hungAfterSeconds = 20, firstDelayMs } = options
  const ready = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<string>()
  const policy = createRestartPolicy(firstDelayMs)
  let child: ChildProcess
  let isStopping = false
  let restartTimer: NodeJS.Timeout | undefined

  function launch() {
    policy.onStart()
    child = spawn(process.execPath, args, { env: env(), stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true })
    const readStderrTail = readLines(child, onLine)
    const watch = watchForHang(child, {
      hungAfterSeconds,
      onHang: (seconds) => onLine(`${name} hangs (${seconds} s); ending it`),
    })
    child.on('message', (message) => {
      watch.recordHeartbeat()
      onMessage?.(String(message))
      if (message !== 'ready') return
      policy.onReady()
      ready.resolve()
    })
    child.on('error', (error) => onLine(`${name} could not be started: ${error.message}`))
    child.on('exit', (code, signal) => {
      watch.end()
      killGroup(child.pid)
      if (isStopping) return
      const next = policy.onEnd(code)
      if (next.shouldGiveUp)
        return failed.resolve(`${name} cannot be started: ${readStderrTail() || `it ended with ${code}`}`)
      onLine(`${name} ended (${signal ?? code}); starting it again in ${next.delayMs / 1000} s`)
      restartTimer = setTimeout(launch, next.delayMs)
    })
  }

  async function stop(graceMs: number) {
    isStopping = true
    clearTimeout(restartTimer)
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    child.kill('SIGCONT') // a stopped process receives SIGTERM only once it continues
    const killTimer = setTimeout(() => killGroup(child.pid), graceMs)
    await exited
    clearTimeout(killTimer)
  }

  function send(message: string): void {
    if (child.connected) child.send(message, () => undefined) // it may have exited
  }

  launch()
  return { name, ready: ready.promise, failed: failed.promise, pid: () => child.pid, send, stop }
}

/** Passes on the child's output line by line. Returns a function that returns the end of its standard error. */
function readLines(child: ChildProcess, onLine: (line: string) => void): () => string {
  const errors: string[] = []
  if (child.stdout) createInterface({ input: child.stdout }).on('line', onLine)
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      onLine(line)
      errors.push(line)
      if (errors.length > 5) errors.shift()
    })
  }
  return () => errors.join('\n').trim()
}

/**
 * Kills a child that sends no heartbeats. Counts seconds in which this process itself ran, so that nothing counts as hung after the
 * machine has slept. A stopped child is killed sooner than one that may just be busy.
 */
function watchForHang(
  child: ChildProcess,
  { hungAfterSeconds, onHang }: { hungAfterSeconds: number; onHang: (secondsSinceHeartbeat: number) => void },
) {
  let secondsSinceHeartbeat = 0
  let limitSeconds = Math.max(startTimeoutSeconds, hungAfterSeconds)
  const timer = setInterval(() => {
    secondsSinceHeartbeat += 1
    if (
      secondsSinceHeartbeat < limitSeconds &&
      !(secondsSinceHeartbeat >= stoppedTimeoutSeconds && isStopped(child.pid))
    )
      return
    clearInterval(timer)
    onHang(secondsSinceHeartbeat)
    killGroup(child.pid)
  }, 1000)
  return {
    recordHeartbeat() {
      secondsSinceHeartbeat = 0
      limitSeconds = hungAfterSeconds
    },
    end: () => clearInterval(timer),
  }
}
