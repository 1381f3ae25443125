import type { Connection, Model } from 'mongoose'
import { checkpointModel, type CheckpointDocument } from './checkpoint-model.ts'
import { engineModel } from '../engines/engine-model.ts'
import { jobModel, type JobDocument } from './job-model.ts'
import { modelListModel } from '../models/model-list-model.ts'
import { modelOperationModel } from '../models/model-operation-model.ts'
import { progressModel, type ProgressDocument } from './progress-model.ts'
import { sourceModel, type SourceDocument } from './source-model.ts'

export interface QueueLimits {
  /** How long a job is held without a sign of life. Default 10 s. */
  leaseMs: number
  /** How often the holder renews. Default 3 s. */
  renewMs: number
  /** Attempts before a job fails for good. Default 3. */
  maxAttempts: number
  /** Waiting jobs of all users together. Default 1,000. */
  maxQueued: number
  /** Waiting jobs of one user. Default 100. */
  maxQueuedPerUser: number
}

/** The work of one database: what every function of this folder takes first. */
export interface Queue {
  connection: Connection
  jobs: Model<JobDocument>
  checkpoints: Model<CheckpointDocument>
  progress: Model<ProgressDocument>
  sources: Model<SourceDocument>
  limits: QueueLimits
  /** The last of the requests of each owner that put work into the queue: see enqueue.ts. */
  turns: Map<string, Promise<void>>
}

const defaults: QueueLimits = {
  leaseMs: 10_000,
  renewMs: 3_000,
  maxAttempts: 3,
  maxQueued: 1_000,
  maxQueuedPerUser: 100,
}

/** Opens the queue of a connection and registers its models, so that `ensureIndexes` knows them. */
export function openQueue(connection: Connection, limits: Partial<QueueLimits> = {}): Queue {
  engineModel(connection)
  modelOperationModel(connection)
  modelListModel(connection)
  return {
    connection,
    jobs: jobModel(connection),
    checkpoints: checkpointModel(connection),
    progress: progressModel(connection),
    sources: sourceModel(connection),
    limits: { ...defaults, ...limits },
    turns: new Map(),
  }
}
