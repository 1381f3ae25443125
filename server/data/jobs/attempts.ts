import { hostname } from 'node:os'
import type { ErrorCode } from '#contract/errors.ts'

/** The engine of an attempt, as named in its log lines. */
interface AttemptEngine {
  engineId: string
  host: string
  pid: number
}

/** The attempt that an engine has last begun. */
export interface BegunAttempt extends AttemptEngine {
  at: Date
}

/** An ended attempt: with the job's result, with an error, or `lost`, as its engine died or did not renew its lease in time. */
export interface EndedAttempt extends Partial<AttemptEngine> {
  /** Missing, like the engine, where an earlier version began it. */
  startedAt?: Date
  endedAt: Date
  outcome: 'done' | 'failed' | 'lost'
  /** Ids of the models that it used; unknown if it was lost. */
  models?: string[]
  code?: ErrorCode
  /** The error's message. */
  message?: string
  /** Name and code of the thrown error, without its message. */
  cause?: string | undefined
}

/** The ended attempts, by number. */
export type EndedAttempts = Record<string, EndedAttempt>

type AttemptEnd = Pick<EndedAttempt, 'outcome' | 'models' | 'code' | 'message' | 'cause'>

/** Returns the fields of an update pipeline that record the beginning of an attempt by this process. */
export function attemptStart(engineId: string) {
  const engine = { engineId: { $literal: engineId }, host: { $literal: hostname() }, pid: process.pid }
  return { attemptBegan: { at: '$$NOW', ...engine } }
}

/** Returns the fields of an update pipeline that record the end of an attempt. */
export function attemptEnd(attempt: number, end: AttemptEnd) {
  const began = (field: keyof BegunAttempt) => `$attemptBegan.${field}`
  const stored = Object.entries(end).filter(([, value]) => value !== undefined)
  return {
    [`attempts.${attempt}`]: {
      startedAt: began('at'),
      endedAt: '$$NOW',
      engineId: began('engineId'),
      host: began('host'),
      pid: began('pid'),
      ...Object.fromEntries(stored.map(([name, value]) => [name, { $literal: value }])),
    },
  }
}
