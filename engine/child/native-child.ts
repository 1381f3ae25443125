import { AppError } from '#contract/app-error.ts'
import { cancellationError, exchange, killChild, spawnChild } from './child-process.ts'
import type { RunningChild } from './child-process.ts'
import type { ChildMethods, ChildParams, ChildResult } from './protocol.ts'

export interface CallOptions {
  /** Aborts the call, which rejects with `job_cancelled`, or with the signal's reason if that is an AppError. */
  signal?: AbortSignal
  /** How long the method may take to stop after an abort before the child is killed; by default it is killed at once. */
  graceMs?: number
  /** Time limit of the call; none by default. */
  timeoutMs?: number
  /** Called with each event that the method emits before it returns. */
  onEvent?: (value: unknown) => void
}

/** Calls one method; see NativeChild. */
export type CallChild<M extends ChildMethods> = <K extends keyof M & string>(
  method: K,
  params: ChildParams<M, K>,
  options?: CallOptions,
) => Promise<ChildResult<M, K>>

export interface NativeChildOptions<M extends ChildMethods> {
  /** Subject of error messages, such as `The speech engine`. */
  name: string
  /** Path of the child's TypeScript file, which calls serveChild. */
  script: string
  /** Added to the few variables that a child inherits (PATH, HOME, LANG, TMPDIR and the like); it gets none of the parent's secrets. */
  env?: Record<string, string>
  /**
   * Size of V8's young generation in MiB; V8's default if omitted. Tensors are small objects with finalizers: at the default size,
   * collecting them took a tenth of the CPU time of decoding.
   */
  youngMiB?: number
  /** Maximum time of a call without a message, an event or CPU usage; 120,000 by default. */
  stallTimeoutMs?: number
  /** Runs in every new process before the first call, for instance to load a model. If it fails, that call fails. */
  prepare?: (call: CallChild<M>) => Promise<void>
  /** Called with every line that the child writes to stdout or stderr. */
  onLine?: (line: string) => void
}

export interface NativeChild<M extends ChildMethods> {
  /**
   * Calls a method; calls run one at a time, in order. Starts the process if none is running. Rejects with ChildMethodError when the
   * method threw, ChildDied when the process exited by itself, `job_cancelled` on abort and `internal` at a limit. After every failure
   * except ChildMethodError the process has exited, unless the method stopped within `graceMs`; the next call starts a new process.
   */
  call: CallChild<M>
  /** Kills the process; the next call starts a new one. */
  recycle(): Promise<void>
  /** Kills the process and waits for it to exit. Later calls reject. */
  close(): Promise<void>
  /** Returns the CPU time (user and system) used by all processes so far, as of their last message. */
  cpuMs(): number
  /** Returns the id of the process; undefined when none is running. */
  pid(): number | undefined
}

/**
 * Creates a child process for native code, which may crash, hang or be killed without harm to this process. Messages are structured
 * clones, which may include typed arrays. A call has two limits: `timeoutMs` in total, and `stallTimeoutMs` without activity.
 */
export function startNativeChild<M extends ChildMethods>(options: NativeChildOptions<M>): NativeChild<M> {
  const { name, stallTimeoutMs = 120_000, prepare } = options
  let running: RunningChild | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let pastCpuMs = 0
  let nextId = 1

  async function trackExit(child: RunningChild): Promise<void> {
    await child.exited
    pastCpuMs += child.cpuMs
    if (running === child) running = undefined
  }

  function callOn(child: RunningChild, common: CallOptions): CallChild<M> {
    return (method, params, own = {}) => {
      const result = exchange(
        child,
        { kind: 'request', id: nextId++, method, params },
        { name, stallTimeoutMs, ...common, ...own },
      )
      return result as Promise<ChildResult<M, typeof method>> // the child serves the methods of M; serveChild sends their results
    }
  }

  async function ensurePrepared(limits: CallOptions): Promise<RunningChild> {
    if (running?.isPrepared) return running
    const child = running ?? spawnChild(options)
    if (child !== running) void trackExit(child)
    running = child
    try {
      await prepare?.(callOn(child, limits))
      child.isPrepared = true
      return child
    } catch (error) {
      await killChild(child)
      throw error
    }
  }

  async function startCall(own: CallOptions): Promise<CallChild<M>> {
    if (isClosed) throw new AppError('internal', `${name} was closed.`)
    if (own.signal?.aborted) throw cancellationError(own.signal)
    const child = await ensurePrepared({ signal: own.signal, timeoutMs: own.timeoutMs })
    return callOn(child, own)
  }

  const call: CallChild<M> = (method, params, own = {}) => {
    const result = queue.then(() => startCall(own)).then((callPrepared) => callPrepared(method, params))
    queue = result.catch(() => {})
    return result
  }

  async function recycle(): Promise<void> {
    const child = running
    running = undefined
    if (child) await killChild(child)
  }

  async function close(): Promise<void> {
    isClosed = true
    await recycle()
  }

  return { call, recycle, close, cpuMs: () => pastCpuMs + (running?.cpuMs ?? 0), pid: () => running?.process.pid }
}
