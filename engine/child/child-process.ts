import { fork, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { AppError } from '#contract/app-error.ts'
import { ChildDied, ChildMethodError } from './child-error.ts'
import { minActiveCpuMs, type ChildAbort, type ChildMessage, type ChildRequest } from './protocol.ts'

/** A process started by spawnChild. */
export interface RunningChild {
  process: ChildProcess
  tail: OutputTail
  /** Resolves when the process has exited and its last output was read. */
  exited: Promise<void>
  /** CPU time used, as of the last message. */
  cpuMs: number
  isPrepared: boolean
  /** Handles the messages of the current request. */
  handle: ((message: ChildMessage) => void) | undefined
}

export interface SpawnOptions {
  script: string
  env?: Record<string, string>
  /** Size of V8's young generation in MiB; V8's default if omitted. */
  youngMiB?: number
  onLine?: (line: string) => void
}

export interface ExchangeLimits {
  name: string
  signal?: AbortSignal
  graceMs?: number
  timeoutMs?: number
  stallTimeoutMs: number
  onEvent?: (value: unknown) => void
}

/** The last lines of a process's output. */
interface OutputTail {
  /** Reads `stream` until it ends and keeps its last lines. */
  follow(stream: Readable | null): void
  /** Returns the last lines, oldest first. */
  text(): string
}

const maxLineLength = 2000

/** Starts `script` with the running Node binary, an IPC channel for structured clones and a minimal environment. */
export function spawnChild({ script, env, youngMiB, onLine }: SpawnOptions): RunningChild {
  const child = fork(script, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: youngMiB === undefined ? [] : [`--min-semi-space-size=${youngMiB}`, `--max-semi-space-size=${youngMiB}`],
    env: { ...inheritedEnv(), ...env },
  })
  const tail = createOutputTail({ onLine })
  tail.follow(child.stdout)
  tail.follow(child.stderr)
  // 'close' is emitted after the last output was read, so that the tail has the message of a crash; 'error' when the start failed.
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
  const names = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined))
}

/** Kills the process at once, native threads included, and waits for it to exit. */
export async function killChild(child: RunningChild): Promise<void> {
  child.process.kill('SIGKILL')
  await child.exited
}

/** Sends one request and waits for its result, one of its limits or the exit of the process. */
export async function exchange(child: RunningChild, request: ChildRequest, limits: ExchangeLimits): Promise<unknown> {
  const { name, signal, graceMs = 0, timeoutMs, stallTimeoutMs, onEvent } = limits
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  let lastCpuMs = child.cpuMs
  let endedBy: AppError | undefined
  let isKilled = false

  const kill = () => {
    isKilled = true
    child.process.kill('SIGKILL')
  }
  const stop = (error: AppError) => {
    endedBy ??= error
    kill()
  }
  let grace: NodeJS.Timeout | undefined
  const onAbort = () => {
    if (!signal) return
    if (graceMs === 0) return stop(cancellationError(signal))
    endedBy ??= cancellationError(signal)
    child.process.send({ kind: 'abort', id: request.id } satisfies ChildAbort, () => {})
    grace = setTimeout(kill, graceMs)
  }
  const stall = setTimeout(() => stop(limitError(`${name} made no progress for`, stallTimeoutMs)), stallTimeoutMs)
  const timeout = timeoutMs && setTimeout(() => stop(limitError(`${name} needed more than`, timeoutMs)), timeoutMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  // Every kill rejects here, only after the process has exited: a caller that sees the failure can rely on that.
  void child.exited.then(() => reject(endedBy ?? childDiedError(name, child)))

  child.handle = (message) => {
    // It may have answered before the signal reached it.
    if (isKilled) return
    if (message.kind === 'heartbeat') {
      if (message.cpuMs - lastCpuMs < minActiveCpuMs) return
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
    // Sending to a process that has just died fails too; `exited` then rejects with the reason.
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

/** Returns the error of an aborted call: the signal's reason if that is an AppError, else `job_cancelled`. */
export function cancellationError(signal: AbortSignal): AppError {
  return signal.reason instanceof AppError ? signal.reason : new AppError('job_cancelled', 'The work was cancelled.')
}

function limitError(what: string, limitMs: number): AppError {
  return new AppError('internal', `${what} ${Math.ceil(limitMs / 1000)} seconds and was stopped.`)
}

function childDiedError(name: string, { process: child, tail }: RunningChild): ChildDied {
  return new ChildDied({ name, exitCode: child.exitCode, signal: child.signalCode, stderrTail: tail.text() })
}

/**
 * @param maxLines how many lines are kept, 40 by default
 * @param onLine called with every complete line as it arrives
 */
function createOutputTail({
  maxLines = 40,
  onLine,
}: { maxLines?: number; onLine?: (line: string) => void } = {}): OutputTail {
  const lines: string[] = []

  function add(line: string): void {
    if (line === '') return
    lines.push(line.slice(0, maxLineLength))
    if (lines.length > maxLines) lines.shift()
    onLine?.(line)
  }

  return {
    follow(stream) {
      let rest = ''
      stream?.setEncoding('utf8')
      stream?.on('data', (chunk: string) => {
        const parts = (rest + chunk).split('\n')
        rest = (parts.pop() ?? '').slice(0, maxLineLength)
        for (const part of parts) add(part.trimEnd())
      })
      stream?.on('end', () => add(rest))
    },
    text: () => lines.join('\n'),
  }
}
