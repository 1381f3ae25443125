/** What a method may tell its caller before it answers. */
export type EmitEvent = (value: unknown) => void

/**
 * The methods a child serves: each takes one structured-clonable value and returns another. The signal aborts when the caller gave up
 * and granted time to stop: CallOptions.graceMs.
 */
export type ChildMethods = Record<string, (params: never, emit: EmitEvent, signal: AbortSignal) => unknown>

/** What a method of `M` takes; undefined for a method without parameters. */
export type ChildParams<M extends ChildMethods, K extends keyof M> = Parameters<M[K]>[0]

/** What a method of `M` answers, promises unwrapped. */
export type ChildResult<M extends ChildMethods, K extends keyof M> = Awaited<ReturnType<M[K]>>

/** Parent to child. */
export interface ChildRequest {
  kind: 'request'
  id: number
  method: string
  params: unknown
}

/** Parent to child: the caller gave up; the answer to the request, if any comes, is only a sign that the child is free again. */
export interface ChildAbort {
  kind: 'abort'
  id: number
}

/** Child to parent. `cpuMs` is the CPU time, user and system, that the child has used since it started. */
export type ChildMessage =
  | { kind: 'result'; id: number; value: unknown; cpuMs: number }
  | { kind: 'failure'; id: number; message: string; stack: string; cpuMs: number }
  | { kind: 'event'; id: number; value: unknown }
  | { kind: 'beat'; cpuMs: number }

/** How often a working child says that it lives, and how much CPU time it must have used since to count as moving. */
export const beatEveryMs = 1000
export const movingCpuMs = 10
