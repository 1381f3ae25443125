import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** An entry of the audit trail: written once, never changed. */
export interface AuditEventDocument {
  _id: Types.ObjectId
  at: Date
  action: string
  outcome: 'success' | 'failure' | 'denied'
  actor: string
  actorId: Types.ObjectId | null
  target: string | null
  ip: string
  requestId: string
  details: string
  /** The recording that the event is about, if any. A recording's name is content and is never stored here. */
  recordingId?: Types.ObjectId
  /** The e-mail address of the recording's owner at that time. */
  recordingOwner?: string
  /** When the recording was uploaded. */
  uploadedAt?: Date
}

const auditEventSchema = new Schema<AuditEventDocument>(
  {
    at: { type: Date, required: true },
    action: { type: String, required: true },
    outcome: { type: String, required: true },
    actor: { type: String, default: '' },
    actorId: { type: Schema.Types.ObjectId, default: null },
    target: { type: String, default: null },
    ip: { type: String, default: '' },
    requestId: { type: String, default: '' },
    details: { type: String, default: '' },
    recordingId: Schema.Types.ObjectId,
    recordingOwner: String,
    uploadedAt: Date,
  },
  { versionKey: false },
)
auditEventSchema.index({ at: -1, _id: -1 })
auditEventSchema.index({ action: 1, at: -1 })
auditEventSchema.index({ action: 1, outcome: 1, at: -1 })
auditEventSchema.index({ actorId: 1, action: 1, at: -1 })
// Partial, because most events are not about a recording; a sparse compound index would include all of them.
auditEventSchema.index(
  { recordingId: 1, at: -1, _id: -1 },
  { partialFilterExpression: { recordingId: { $exists: true } } },
)

export function auditEventModel(connection: Connection) {
  return modelOf<AuditEventDocument>(connection, 'AuditEvent', auditEventSchema, 'audit_events')
}
