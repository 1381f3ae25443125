import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { ModelOutcome, ModelProgress } from '#contract/entities/model-operation.ts'
import type { DatabaseConnection } from '#data/connect.ts'
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

export interface OperationTask {
  /** Aborts when the operation is cancelled, its lease is lost or the engine stops. */
  signal: AbortSignal
  onProgress: (progress: ModelProgress) => void
}

interface RunOptions {
  connection: DatabaseConnection
  operation: LeasedModelOperation
  work: (task: OperationTask) => Promise<ModelOutcome>
  /** How often progress is written and cancellation is checked. */
  checkMs: number
  drain: AbortSignal
  log: Logger
}

/**
 * Runs an operation to its end, or until `drain` aborts, which releases it. Renews the lease while it runs; the outcome of a cancelled
 * operation is dropped. Rejects only if the database is unavailable.
 */
export async function runModelOperation({
  connection,
  operation,
  work,
  checkMs,
  drain,
  log,
}: RunOptions): Promise<void> {
  const lost = new AbortController()
  const lease = keepLease(connection, operation, { checkMs, onLost: () => lost.abort() })
  log.info('model operation started')
  try {
    const signal = AbortSignal.any([drain, lost.signal])
    const outcome = await work({ signal, onProgress: lease.reportProgress })
    const isDone = await completeModelOperation(connection, operation, outcome)
    log.info(isDone ? 'model operation done' : 'model operation lost its lease at its end')
  } catch (error) {
    if (lost.signal.aborted) log.info('model operation cancelled, or its lease lost')
    else if (drain.aborted) await releaseModelOperation(connection, operation)
    else {
      log.warn({ err: error }, 'model operation failed')
      await failModelOperation(connection, operation, toAppError(error))
    }
  } finally {
    lease.stop()
  }
}

/** Renews the lease, writes new progress, and calls `onLost` when the lease is lost or the operation was cancelled. */
function keepLease(
  connection: DatabaseConnection,
  operation: LeasedModelOperation,
  { checkMs, onLost }: { checkMs: number; onLost: () => void },
) {
  let renewedAt = performance.now()
  let isBusy = false
  let latest: ModelProgress | undefined

  async function check() {
    // After a full lease period without a reply from the database, another engine may hold the operation.
    if (performance.now() - renewedAt > operationLeaseMs) return lose()
    if (isBusy) return
    isBusy = true
    const isHeld = await renewOrCheck().catch(() => undefined)
    isBusy = false
    if (isHeld === false) lose()
  }

  async function renewOrCheck(): Promise<boolean> {
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

  const timer = setInterval(() => void check(), checkMs)
  return {
    reportProgress: (progress: ModelProgress) => void (latest = progress),
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
