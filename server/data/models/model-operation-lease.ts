import type { PipelineStage } from 'mongoose'
import { toErrorBody, type AppError } from '#contract/app-error.ts'
import type { ModelOperationKind, ModelOutcome, ModelProgress } from '#contract/entities/model-operation.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { newId, toObjectId } from '../ids.ts'
import { modelOperationModel, type ModelOperationDocument } from './model-operation-model.ts'
import { toModelOperation, type ModelOperationRecord } from './model-operations.ts'

export const operationLeaseMs = 10_000
export const operationRenewMs = 3_000
const maxAttempts = 3
/** Kinds that resume where they stopped when their engine dies. The progress of other kinds is unknown then. */
const resumableKinds: ModelOperationKind[] = ['pull']

const interrupted: ErrorBody = {
  error: 'The engine ended while it worked on this.',
  code: 'job_failed',
  help: 'Look whether the model is in the list as you want it, and try again where it is not.',
}

/** An operation that this engine holds. Every write names `leaseId`: an engine that lost the lease writes nothing. */
export type LeasedModelOperation = ModelOperationRecord & { leaseId: string }

type Pipeline = (PipelineStage.Set | PipelineStage.Unset)[]

const clearedLease = { leaseId: null, leaseUntil: null, engineId: null }

function endUpdate(fields: object): Pipeline {
  return [{ $set: { ...fields, ...clearedLease, finishedAt: '$$NOW' } }, { $unset: 'activeKey' }]
}

/** Returns whether any operation waits or runs. */
export async function hasOpenModelOperations(connection: DatabaseConnection): Promise<boolean> {
  return (await modelOperationModel(connection).exists({ state: { $in: ['queued', 'running'] } })) !== null
}

/** Claims and returns the oldest queued operation that this engine can run, or null. One atomic write: two engines never claim the same. */
export async function claimModelOperation(
  connection: DatabaseConnection,
  engineId: string,
  canRun: (operation: ModelOperationRecord) => Promise<boolean>,
): Promise<LeasedModelOperation | null> {
  const operations = modelOperationModel(connection)
  const queued = await operations.find({ state: 'queued' }).sort({ _id: 1 }).limit(100).lean<ModelOperationDocument[]>()
  for (const operation of queued) {
    if (!(await canRun(toModelOperation(operation)))) continue
    const leaseId = newId()
    const claimed = await operations
      .findOneAndUpdate(
        { _id: operation._id, state: 'queued' },
        [
          {
            $set: {
              state: 'running',
              leaseId: { $literal: toObjectId(leaseId) },
              leaseUntil: { $add: ['$$NOW', operationLeaseMs] },
              engineId: { $literal: engineId },
              attempt: { $add: ['$attempt', 1] },
              startedAt: { $ifNull: ['$startedAt', '$$NOW'] },
            },
          },
        ],
        { returnDocument: 'after', updatePipeline: true },
      )
      .lean<ModelOperationDocument>()
    if (claimed) return { ...toModelOperation(claimed), leaseId }
  }
  return null
}

/** Extends the lease and stores the progress, if given. Returns false if the lease is lost. */
export async function renewModelOperation(
  connection: DatabaseConnection,
  operation: LeasedModelOperation,
  progress?: ModelProgress,
): Promise<boolean> {
  return write(connection, operation, [
    {
      $set: {
        leaseUntil: { $add: ['$$NOW', operationLeaseMs] },
        ...(progress && { progress: { $literal: progress } }),
      },
    },
  ])
}

/** Returns whether the lease is still held, without a write. */
export async function isModelOperationHeld(
  connection: DatabaseConnection,
  operation: LeasedModelOperation,
): Promise<boolean> {
  return (await modelOperationModel(connection).exists(heldBy(operation))) !== null
}

/** Ends the operation with its outcome. Returns false when the lease is lost. */
export async function completeModelOperation(
  connection: DatabaseConnection,
  operation: LeasedModelOperation,
  outcome: ModelOutcome,
): Promise<boolean> {
  return write(connection, operation, endUpdate({ state: 'done', outcome: { $literal: outcome }, error: null }))
}

/** Ends the operation with an error. Returns false when the lease is lost. */
export async function failModelOperation(
  connection: DatabaseConnection,
  operation: LeasedModelOperation,
  error: AppError,
): Promise<boolean> {
  return write(connection, operation, endUpdate({ state: 'failed', error: { $literal: toErrorBody(error) } }))
}

/** Returns the operation to the queue, as when the engine stops; the attempt does not count. Returns false when the lease is lost. */
export async function releaseModelOperation(
  connection: DatabaseConnection,
  operation: LeasedModelOperation,
): Promise<boolean> {
  return write(connection, operation, [
    { $set: { state: 'queued', attempt: { $add: ['$attempt', -1] }, progress: null, ...clearedLease } },
  ])
}

/**
 * Reclaims every operation whose lease expired because its engine died: a download is requeued and resumes, any other fails with an
 * explanation. Safe to run in any number of processes at once.
 */
export async function reconcileModelOperations(
  connection: DatabaseConnection,
): Promise<{ requeued: number; failed: number }> {
  const operations = modelOperationModel(connection)
  const now = await readDatabaseTime(connection)
  const abandoned = { state: 'running', leaseUntil: { $lt: now } } as const
  if (!(await operations.exists(abandoned))) return { requeued: 0, failed: 0 }
  const requeued = await operations.updateMany(
    { ...abandoned, kind: { $in: resumableKinds }, attempt: { $lt: maxAttempts } },
    [{ $set: { state: 'queued', ...clearedLease } }],
    { updatePipeline: true },
  )
  const failed = await operations.updateMany(
    abandoned,
    endUpdate({ state: 'failed', error: { $literal: interrupted } }),
    {
      updatePipeline: true,
    },
  )
  return { requeued: requeued.modifiedCount, failed: failed.modifiedCount }
}

async function write(
  connection: DatabaseConnection,
  operation: LeasedModelOperation,
  update: Pipeline,
): Promise<boolean> {
  const { matchedCount } = await modelOperationModel(connection).updateOne(heldBy(operation), update, {
    updatePipeline: true,
  })
  return matchedCount === 1
}

function heldBy({ id, leaseId }: LeasedModelOperation) {
  return { _id: toObjectId(id), leaseId: toObjectId(leaseId), state: 'running' as const }
}
