import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { KeptStateKind } from '#contract/holds.ts'
import { modelOf } from '../model.ts'

/** What a part of a recording or case was before somebody changed it while it was on hold. */
export interface KeptStateDocument {
  _id: Types.ObjectId
  /** The owner of the recording or the case. */
  ownerId: Types.ObjectId
  /** The recording or the case. */
  subjectId: Types.ObjectId
  kind: KeptStateKind
  /** Packed JSON. */
  data: Uint8Array
  keptAt: Date
}

const schema = new Schema<KeptStateDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    subjectId: { type: Schema.Types.ObjectId, required: true },
    kind: { type: String, required: true },
    data: { type: Schema.Types.Buffer, required: true },
    keptAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1, subjectId: 1, _id: 1 })

/** The kept states of one database connection. */
export function keptStateModel(connection: Connection): Model<KeptStateDocument> {
  return modelOf<KeptStateDocument>(connection, 'KeptState', schema, 'kept_states')
}
