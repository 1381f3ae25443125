import { AppError } from '#contract/app-error.ts'
import { cancelled, exchange, killChild, spawnChild } from './child-process.ts'
import type { RunningChild } from './child-process.ts'
import type { ChildMethods, ChildParams, ChildResult } from './protocol.ts'

export interface CallOptions {
  /** Ends the call, which rejects with `job_cancelled`, or with the signal's reason where that is an AppError. */
  signal?: AbortSignal
  /** How long the method may take to stop by itself after an abort before the child is killed; by default it is killed at once. */
  graceMs?: number
  /** Longest time the call may take; none by default. */
  timeoutMs?: number
  /** What the method emits before it answers. */
  onEvent?: (value: unknown) => void
}

/** Calls one method; see NativeChild. */
export type CallChild<M extends ChildMethods> = <K extends keyof M & string>(
  method: K,
  params: ChildParams<M, K>,
  options?: CallOptions,
) => Promise<ChildResult<M, K>>

export interface NativeChildOptions<M extends ChildMethods> {
  /** Begins the sentences people read, such as `The speech engine`. */
  name: string
  /** Path of the child's TypeScript file, which calls serveChild. */
  script: string
  /** Added to the few variables a child gets (PATH, HOME, LANG, TMPDIR); the parent's own, its secrets among them, stay here. */
  env?: Record<string, string>
  /** How long a call may go without a message, an event or CPU time used; 120,000 by default. */
  stallMs?: number
  /** Runs in every new process before the first call, for instance to load a model. Its failure is that call's failure. */
  prepare?: (call: CallChild<M>) => Promise<void>
  /** Every line the child writes to stdout or stderr. */
  onLine?: (line: string) => void
}

export interface NativeChild<M extends ChildMethods> {
  /**
   * Calls a method, one call at a time in the order they were made; starts the process when none runs. Rejects with
   * ChildMethodError when the method threw, ChildDied when the process ended by itself, `job_cancelled` on abort and `internal`
   * at a limit. After all but a method's own failure the process is gone, unless it stopped within `graceMs`; the next call starts a
   * new one.
   */
  call: CallChild<M>
  /** Kills the process; the next call starts a new one. */
  recycle(): Promise<void>
  /** Kills the process and waits until it is gone. Later calls reject. */
  close(): Promise<void>
  /** CPU time, user and system, used by all processes so far, as of their last message. */
  cpuMs(): number
  /** The process's id, undefined when none runs. */
  pid(): number | undefined
}

/**
 * A child process that does native work: it may crash, hang or be killed without harm to this one. Messages are structured
 * clones (typed arrays travel as such). Two limits end a call: `timeoutMs` in all, and `stallMs` without any sign of life.
 */
export function startNativeChild<M extends ChildMethods>(options: NativeChildOptions<M>): NativeChild<M> {
  const { name, stallMs = 120_000, prepare } = options
  let running: RunningChild | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let pastCpuMs = 0
  let nextId = 1

  async function follow(child: RunningChild): Promise<void> {
    await child.exited
    pastCpuMs += child.cpuMs
    if (running === child) running = undefined
  }

  function callOn(child: RunningChild, common: CallOptions): CallChild<M> {
    return (method, params, own = {}) => {
      const answer = exchange(
        child,
        { kind: 'request', id: nextId++, method, params },
        { name, stallMs, ...common, ...own },
      )
      return answer as Promise<ChildResult<M, typeof method>> // the child serves these very methods; serveChild sends what they return
    }
  }

  async function prepared(limits: CallOptions): Promise<RunningChild> {
    if (running?.isPrepared) return running
    const child = running ?? spawnChild(options)
    if (child !== running) void follow(child)
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

  async function ready(own: CallOptions): Promise<CallChild<M>> {
    if (isClosed) throw new AppError('internal', `${name} was closed.`)
    if (own.signal?.aborted) throw cancelled(own.signal)
    const child = await prepared({ signal: own.signal, timeoutMs: own.timeoutMs })
    return callOn(child, own)
  }

  const call: CallChild<M> = (method, params, own = {}) => {
    const answer = queue.then(() => ready(own)).then((callReady) => callReady(method, params))
    queue = answer.catch(() => {})
    return answer
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
