import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { batchItemStates, type BatchItemState } from '#contract/batches.ts'
import { modelOf } from '../model.ts'

/** A recording of a batch: see BatchItemRecord. Its jobs are found by their work keys, so nothing about them is kept here. */
export interface BatchItemDocument {
  _id: Types.ObjectId
  batchId: Types.ObjectId
  ownerId: Types.ObjectId
  recordingId: Types.ObjectId
  /** Whether it must be transcribed: other batches that only translate it wait for that. */
  isToTranscribe: boolean
  /** Its place in the selection, from 0. */
  position: number
  state: BatchItemState
  /** A sentence saying why it failed or was skipped. */
  reason: string | null
  /** A job that failed or was cancelled up to this change belongs to an earlier attempt: see change-counter.ts. */
  since: number
  /** Its place in the selection, which sorts before any time, or the time in milliseconds before which it is not checked again. */
  dueAtMs: number
}

const schema = new Schema<BatchItemDocument>(
  {
    batchId: { type: Schema.Types.ObjectId, required: true },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    recordingId: { type: Schema.Types.ObjectId, required: true },
    isToTranscribe: { type: Boolean, required: true },
    position: { type: Number, required: true },
    state: { type: String, enum: batchItemStates, required: true },
    reason: { type: String, default: null },
    since: { type: Number, required: true },
    dueAtMs: { type: Number, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ batchId: 1, position: 1 })
schema.index({ batchId: 1, state: 1, dueAtMs: 1 })
schema.index({ ownerId: 1, recordingId: 1, state: 1 })

/** The recordings of the batches of one database connection. */
export function batchItemModel(connection: Connection): Model<BatchItemDocument> {
  return modelOf<BatchItemDocument>(connection, 'BatchItem', schema, 'batch_items')
}
