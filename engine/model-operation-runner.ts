import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { ModelOutcome, ModelProgress } from '#contract/entities/model-operation.ts'
import {
  completeModelOperation,
  failModelOperation,
  isModelOperationHeld,
  operationLeaseMs,
  operationRenewMs,
  releaseModelOperation,
  renewModelOperation,
  type LeasedModelOperation,
} from '#data/models/model-operation-lease.ts'

/** Progress is written, and cancelling noticed, this often. */
const tickMs = 1_000

export interface OperationTask {
  /** Aborts when the operation was cancelled or taken away, and when the engine stops. */
  signal: AbortSignal
  onProgress: (progress: ModelProgress) => void
}

interface RunOptions {
  connection: Connection
  operation: LeasedModelOperation
  work: (task: OperationTask) => Promise<ModelOutcome>
  drain: AbortSignal
  log: Logger
}

/**
 * Works on an operation to its end, or until `drain` aborts, which gives it back. Holds the lease meanwhile; one that was cancelled is
 * dropped. Fails only when the database is away.
 */
export async function runModelOperation({ connection, operation, work, drain, log }: RunOptions): Promise<void> {
  const lost = new AbortController()
  const hold = holdLease(connection, operation, () => lost.abort())
  log.info('operation on models began')
  try {
    const signal = AbortSignal.any([drain, lost.signal])
    const outcome = await work({ signal, onProgress: hold.report })
    const isDone = await completeModelOperation(connection, operation, outcome)
    log.info(isDone ? 'operation on models done' : 'operation on models was taken away at its end')
  } catch (error) {
    if (lost.signal.aborted) log.info('operation on models was cancelled or taken away')
    else if (drain.aborted) await releaseModelOperation(connection, operation)
    else {
      log.warn({ err: error }, 'operation on models failed')
      await failModelOperation(connection, operation, toAppError(error))
    }
  } finally {
    hold.stop()
  }
}

/** Renews the lease, writes progress where there is some, and looks whether the operation is still ours. */
function holdLease(connection: Connection, operation: LeasedModelOperation, onLost: () => void) {
  let renewedAt = performance.now()
  let isBusy = false
  let latest: ModelProgress | undefined

  async function tick() {
    // A database that is silent for a whole lease, or does not reply at all, may have given the operation to somebody else.
    if (performance.now() - renewedAt > operationLeaseMs) return lose()
    if (isBusy) return
    isBusy = true
    const isHeld = await renewOrLook().catch(() => undefined)
    isBusy = false
    if (isHeld === false) lose()
  }

  async function renewOrLook(): Promise<boolean> {
    const progress = latest
    latest = undefined
    if (!progress && performance.now() - renewedAt < operationRenewMs)
      return isModelOperationHeld(connection, operation)
    const isHeld = await renewModelOperation(connection, operation, progress)
    if (isHeld) renewedAt = performance.now()
    return isHeld
  }

  function lose() {
    clearInterval(timer)
    onLost()
  }

  const timer = setInterval(() => void tick(), tickMs)
  return {
    report: (progress: ModelProgress) => void (latest = progress),
    stop: () => clearInterval(timer),
  }
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('job_failed', 'This failed because of a fault of this system.', {
    help: 'Try again. If it happens again, the log of the engine says more.',
    cause: error,
  })
}
