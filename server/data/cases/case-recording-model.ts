import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

/** Links a recording to a case. `ownerId` is the recording's owner. */
export interface CaseRecordingDocument extends SlottedDocument {
  caseId: Types.ObjectId
  recordingId: Types.ObjectId
  ownerId: Types.ObjectId
  addedAt: Date
  /** Set while the recording is in the trash; missing otherwise. */
  isHidden?: true
}

const schema = new Schema<CaseRecordingDocument>(
  {
    caseId: { type: Schema.Types.ObjectId, required: true },
    recordingId: { type: Schema.Types.ObjectId, required: true },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    addedAt: { type: Date, required: true },
    isHidden: Boolean,
    slot: { type: Number },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ recordingId: 1, caseId: 1 }, { unique: true })
schema.index({ caseId: 1, addedAt: -1, _id: -1 })
addSlots(schema, ['caseId'])
schema.index({ ownerId: 1, caseId: 1 })

/** The recordings of cases of one database connection. */
export function caseRecordingModel(connection: Connection): Model<CaseRecordingDocument> {
  return modelOf<CaseRecordingDocument>(connection, 'CaseRecording', schema, 'case_recordings')
}
