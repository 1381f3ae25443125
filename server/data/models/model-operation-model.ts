import { Schema, type Connection, type Model, type Types } from 'mongoose'
import {
  modelOperationKinds,
  modelOperationStates,
  type ModelOperationKind,
  type ModelOperationState,
} from '#contract/entities/model-operation.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { modelOf } from '../model.ts'

/** Something that a super admin wants done to the models, taken by an engine with a lease as jobs are. Times are the database's. */
export interface ModelOperationDocument {
  _id: Types.ObjectId
  kind: ModelOperationKind
  state: ModelOperationState
  /** Parsed by ModelRequest. */
  request: unknown
  /** What it works on, while queued or running: a unique index lets only one operation at a time change a model. */
  activeKey?: string
  requestedBy: string
  /** Attempts begun; a drained engine gives its attempt back. */
  attempt: number
  leaseId: Types.ObjectId | null
  leaseUntil: Date | null
  engineId: string | null
  /** Parsed by ModelProgress. */
  progress: unknown
  /** Parsed by ModelOutcome. */
  outcome: unknown
  error: ErrorBody | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

const schema = new Schema<ModelOperationDocument>(
  {
    kind: { type: String, enum: modelOperationKinds, required: true },
    state: { type: String, enum: modelOperationStates, required: true },
    request: { type: Schema.Types.Mixed, required: true },
    activeKey: String,
    requestedBy: { type: String, required: true },
    attempt: { type: Number, required: true },
    leaseId: { type: Schema.Types.ObjectId, default: null },
    leaseUntil: { type: Date, default: null },
    engineId: { type: String, default: null },
    progress: { type: Schema.Types.Mixed, default: null },
    outcome: { type: Schema.Types.Mixed, default: null },
    error: { type: Schema.Types.Mixed, default: null },
    createdAt: { type: Date, required: true },
    startedAt: { type: Date, default: null },
    finishedAt: { type: Date, default: null },
  },
  { versionKey: false, autoIndex: false, minimize: false },
)
schema.index({ activeKey: 1 }, { unique: true, sparse: true })
schema.index({ state: 1, _id: 1 })
schema.index({ state: 1, leaseUntil: 1 })
schema.index({ finishedAt: 1 }, { expireAfterSeconds: 30 * 24 * 3600 })

/** The operations on models of one database connection. */
export function modelOperationModel(connection: Connection): Model<ModelOperationDocument> {
  return modelOf<ModelOperationDocument>(connection, 'ModelOperation', schema, 'model_operations')
}
