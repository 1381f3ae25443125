/** Sends an event to the caller of a method before the method returns. */
export type EmitEvent = (value: unknown) => void

/**
 * The methods of a child: each takes one structured-clonable value and returns another. The signal aborts when the caller cancels the
 * call and gives it time to stop (CallOptions.graceMs).
 */
export type ChildMethods = Record<string, (params: never, emit: EmitEvent, signal: AbortSignal) => unknown>

/** The parameter of a method of `M`; undefined for a method without parameters. */
export type ChildParams<M extends ChildMethods, K extends keyof M> = Parameters<M[K]>[0]

/** The result of a method of `M`, promises unwrapped. */
export type ChildResult<M extends ChildMethods, K extends keyof M> = Awaited<ReturnType<M[K]>>

/** Parent to child. */
export interface ChildRequest {
  kind: 'request'
  id: number
  method: string
  params: unknown
}

/** Parent to child: the call was cancelled. A result that still arrives only means that the child is idle again. */
export interface ChildAbort {
  kind: 'abort'
  id: number
}

/** Child to parent. `cpuMs` is the CPU time (user and system) that the child has used since it started. */
export type ChildMessage =
  | { kind: 'result'; id: number; value: unknown; cpuMs: number }
  | { kind: 'failure'; id: number; message: string; stack: string; cpuMs: number }
  | { kind: 'event'; id: number; value: unknown }
  | { kind: 'heartbeat'; cpuMs: number }

/** Interval between two heartbeats of a child during a call. */
export const heartbeatIntervalMs = 1000
/** CPU time that a child must use between two heartbeats to count as active. */
export const minActiveCpuMs = 10
