import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { AppError } from '#contract/app-error.ts'
import { ChildDied, ChildMethodError } from './child-error.ts'
import { keepTail } from './output-tail.ts'
import type { OutputTail } from './output-tail.ts'
import { movingCpuMs } from './protocol.ts'
import type { ChildAbort, ChildMessage, ChildRequest } from './protocol.ts'

/** One process started by spawnChild, until it is gone. */
export interface RunningChild {
  process: ChildProcess
  tail: OutputTail
  /** Resolves when the process is gone and its last output was read. */
  exited: Promise<void>
  /** CPU time used, as of the last message. */
  cpuMs: number
  isPrepared: boolean
  handle: ((message: ChildMessage) => void) | undefined
}

export interface SpawnOptions {
  script: string
  env?: Record<string, string>
  onLine?: (line: string) => void
}

export interface ExchangeLimits {
  name: string
  signal?: AbortSignal
  graceMs?: number
  timeoutMs?: number
  stallMs: number
  onEvent?: (value: unknown) => void
}

/** Starts `script` under this very Node, with a channel for structured clones and a small environment. */
export function spawnChild({ script, env, onLine }: SpawnOptions): RunningChild {
  const child = fork(script, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    env: { ...inheritedEnv(), ...env },
  })
  const tail = keepTail({ onLine })
  tail.follow(child.stdout)
  tail.follow(child.stderr)
  // 'close' comes after the last output was read, so that a crash's own words are in the tail; 'error' when nothing could start.
  const exited = new Promise<void>((resolve) => {
    child.on('close', () => resolve())
    child.on('error', () => resolve())
  })
  const running: RunningChild = { process: child, tail, exited, cpuMs: 0, isPrepared: false, handle: undefined }
  child.on('message', (message) => {
    const parsed = message as ChildMessage // only serveChild writes to this channel
    if ('cpuMs' in parsed) running.cpuMs = parsed.cpuMs
    running.handle?.(parsed)
  })
  return running
}

function inheritedEnv(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'LD_LIBRARY_PATH']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined))
}

/** Kills the process at once, native threads included, and waits until it is gone. */
export async function killChild(child: RunningChild): Promise<void> {
  child.process.kill('SIGKILL')
  await child.exited
}

/** Sends one request and waits for its answer, one of its limits or the end of the process. */
export async function exchange(child: RunningChild, request: ChildRequest, limits: ExchangeLimits): Promise<unknown> {
  const { name, signal, graceMs = 0, timeoutMs, stallMs, onEvent } = limits
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  let lastCpuMs = child.cpuMs
  let endedBy: AppError | undefined

  const end = (error: AppError) => {
    endedBy ??= error
    child.process.kill('SIGKILL')
  }
  let grace: NodeJS.Timeout | undefined
  const onAbort = () => {
    if (!signal) return
    if (graceMs === 0) return end(cancelled(signal))
    endedBy ??= cancelled(signal)
    child.process.send({ kind: 'abort', id: request.id } satisfies ChildAbort, () => {})
    grace = setTimeout(() => child.process.kill('SIGKILL'), graceMs)
  }
  const stall = setTimeout(() => end(tooLong(`${name} made no progress for`, stallMs)), stallMs)
  const timeout = timeoutMs && setTimeout(() => end(tooLong(`${name} needed more than`, timeoutMs)), timeoutMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  // Every end of the process rejects here, and only once it is gone: whoever hears of the failure may count processes.
  void child.exited.then(() => reject(endedBy ?? died(name, child)))

  child.handle = (message) => {
    if (message.kind === 'beat') {
      if (message.cpuMs - lastCpuMs < movingCpuMs) return
      lastCpuMs = message.cpuMs
      stall.refresh()
    } else if (message.id === request.id) {
      stall.refresh()
      if (message.kind === 'event') onEvent?.(message.value)
      else if (endedBy) reject(endedBy)
      else if (message.kind === 'result') resolve(message.value)
      else reject(new ChildMethodError(message.message, { cause: message.stack }))
    }
  }

  try {
    // A process that has just died fails here too; `exited` tells why.
    child.process.send(request, () => {})
    return await promise
  } finally {
    clearTimeout(stall)
    clearTimeout(timeout)
    clearTimeout(grace)
    signal?.removeEventListener('abort', onAbort)
    child.handle = undefined
  }
}

/** The failure of an aborted call: the signal's own reason where it is a failure of ours. */
export function cancelled(signal: AbortSignal): AppError {
  return signal.reason instanceof AppError ? signal.reason : new AppError('job_cancelled', 'The work was cancelled.')
}

function tooLong(what: string, limitMs: number): AppError {
  return new AppError('internal', `${what} ${Math.ceil(limitMs / 1000)} seconds and was stopped.`)
}

function died(name: string, { process: child, tail }: RunningChild): ChildDied {
  return new ChildDied({ name, exitCode: child.exitCode, signal: child.signalCode, stderrTail: tail.text() })
}
