import { Schema, type Connection, type Model, type Types } from 'mongoose'
import {
  modelOperationKinds,
  modelOperationStates,
  type ModelOperationKind,
  type ModelOperationState,
} from '#contract/entities/model-operation.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { modelOf } from '../model.ts'

/** A change to the models requested by a super admin; an engine claims it with a lease, as it does jobs. Times are the database's. */
export interface ModelOperationDocument {
  _id: Types.ObjectId
  kind: ModelOperationKind
  state: ModelOperationState
  /** Parsed by ModelRequest. */
  request: unknown
  /** The model or import, while queued or running: a unique index allows each only one operation at a time. */
  activeKey?: string
  requestedBy: string
  /** Attempts begun, minus those released by a stopping engine. */
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

export function modelOperationModel(connection: Connection): Model<ModelOperationDocument> {
  return modelOf<ModelOperationDocument>(connection, 'ModelOperation', schema, 'model_operations')
}
