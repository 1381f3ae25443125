import { Types, type Connection, type PipelineStage } from 'mongoose'
import type { AppError } from '#contract/app-error.ts'
import type { ModelOperationKind, ModelOutcome, ModelProgress } from '#contract/entities/model-operation.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toErrorBody } from '../jobs/lease.ts'
import { modelOperationModel, type ModelOperationDocument } from './model-operation-model.ts'

export const operationLeaseMs = 10_000
export const operationRenewMs = 3_000
const maxAttempts = 3
/** Kinds that go on where they stopped when their engine dies. Of all others nobody knows how far they came. */
const resumable: ModelOperationKind[] = ['pull']

const interrupted: ErrorBody = {
  error: 'The engine ended while it worked on this.',
  code: 'job_failed',
  help: 'Look whether the model is in the list as you want it, and try again where it is not.',
}

/** An operation in hand. Every write names `leaseId`: whoever lost the lease writes nothing. */
export type LeasedModelOperation = ModelOperationDocument & { leaseId: Types.ObjectId }

type Pipeline = (PipelineStage.Set | PipelineStage.Unset)[]

const unheld = { leaseId: null, leaseUntil: null, engineId: null }
const ending = (fields: object): Pipeline => [
  { $set: { ...fields, ...unheld, finishedAt: '$$NOW' } },
  { $unset: 'activeKey' },
]

/** Takes the operation that waits for longest and that this engine can do, or null. One atomic write: two engines never take the same. */
export async function claimModelOperation(
  connection: Connection,
  engineId: string,
  canRun: (operation: ModelOperationDocument) => Promise<boolean>,
): Promise<LeasedModelOperation | null> {
  const operations = modelOperationModel(connection)
  const waiting = await operations
    .find({ state: 'queued' })
    .sort({ _id: 1 })
    .limit(100)
    .lean<ModelOperationDocument[]>()
  for (const operation of waiting) {
    if (!(await canRun(operation))) continue
    const leaseId = new Types.ObjectId()
    const taken = await operations
      .findOneAndUpdate(
        { _id: operation._id, state: 'queued' },
        [
          {
            $set: {
              state: 'running',
              leaseId: { $literal: leaseId },
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
    if (taken) return { ...taken, leaseId }
  }
  return null
}

/** Holds an operation for another lease and, where there is some, shows its progress. False when it is ours no more. */
export async function renewModelOperation(
  connection: Connection,
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

/** Whether the operation is still ours, which costs no write. */
export async function isModelOperationHeld(
  connection: Connection,
  { _id, leaseId }: LeasedModelOperation,
): Promise<boolean> {
  return (await modelOperationModel(connection).exists({ _id, leaseId, state: 'running' })) !== null
}

export async function completeModelOperation(
  connection: Connection,
  operation: LeasedModelOperation,
  outcome: ModelOutcome,
): Promise<boolean> {
  return write(connection, operation, ending({ state: 'done', outcome: { $literal: outcome }, error: null }))
}

export async function failModelOperation(
  connection: Connection,
  operation: LeasedModelOperation,
  error: AppError,
): Promise<boolean> {
  return write(connection, operation, ending({ state: 'failed', error: { $literal: toErrorBody(error) } }))
}

/** Gives an operation back unharmed, as when the engine is asked to stop: the attempt does not count. */
export async function releaseModelOperation(connection: Connection, operation: LeasedModelOperation): Promise<boolean> {
  return write(connection, operation, [
    { $set: { state: 'queued', attempt: { $add: ['$attempt', -1] }, progress: null, ...unheld } },
  ])
}

/**
 * Brings back every operation whose lease ran out, its engine being dead: a download into the queue, where it goes on, all others to
 * their end with a sentence. May run in any number of processes at once.
 */
export async function reconcileModelOperations(connection: Connection): Promise<{ requeued: number; failed: number }> {
  const operations = modelOperationModel(connection)
  const now = await readDatabaseTime(connection)
  const abandoned = { state: 'running', leaseUntil: { $lt: now } } as const
  if (!(await operations.exists(abandoned))) return { requeued: 0, failed: 0 }
  const requeued = await operations.updateMany(
    { ...abandoned, kind: { $in: resumable }, attempt: { $lt: maxAttempts } },
    [{ $set: { state: 'queued', ...unheld } }],
    { updatePipeline: true },
  )
  const failed = await operations.updateMany(abandoned, ending({ state: 'failed', error: { $literal: interrupted } }), {
    updatePipeline: true,
  })
  return { requeued: requeued.modifiedCount, failed: failed.modifiedCount }
}

async function write(
  connection: Connection,
  { _id, leaseId }: LeasedModelOperation,
  update: Pipeline,
): Promise<boolean> {
  const { matchedCount } = await modelOperationModel(connection).updateOne({ _id, leaseId, state: 'running' }, update, {
    updatePipeline: true,
  })
  return matchedCount === 1
}
