import { Schema, type Connection, type Types } from 'mongoose'
import type { Role } from '#contract/entities/user.ts'
import { modelOf } from '../model.ts'

export interface InvitationDocument {
  _id: Types.ObjectId
  email: string
  firstName: string
  lastName: string
  role: Role
  /** `staged` and hidden while the import that it belongs to is incomplete. Open invitations expire. */
  status: 'staged' | 'open' | 'accepted' | 'revoked'
  /** The address, while no other invitation to it is allowed; unique. */
  openEmail?: string
  /** SHA-256 of the link's token; missing until the link has been mailed. */
  tokenHash?: string
  /** Null for the command line. */
  inviterId: Types.ObjectId | null
  inviterName: string
  /** How long each link works. */
  days: number
  createdAt: Date
  sentAt: Date
  expiresAt: Date
  acceptedAt: Date | null
  /** When the link must be mailed if that has not happened; missing once it has. */
  mailDueAt?: Date
  /** The import that it belongs to. */
  batchId?: string
  removeAt: Date
}

const schema = new Schema<InvitationDocument>(
  {
    email: { type: String, required: true },
    firstName: { type: String, default: '' },
    lastName: { type: String, default: '' },
    role: { type: String, required: true },
    status: { type: String, required: true },
    openEmail: { type: String },
    tokenHash: { type: String },
    inviterId: { type: Schema.Types.ObjectId, default: null },
    inviterName: { type: String, required: true },
    days: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    sentAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    acceptedAt: { type: Date, default: null },
    mailDueAt: { type: Date },
    batchId: { type: String },
    removeAt: { type: Date, required: true },
  },
  { versionKey: false },
)
schema.index({ openEmail: 1 }, { unique: true, sparse: true })
schema.index({ tokenHash: 1 }, { unique: true, sparse: true })
schema.index({ createdAt: -1, _id: -1 })
schema.index({ status: 1, createdAt: -1, _id: -1 })
schema.index({ email: 1 })
schema.index({ mailDueAt: 1 }, { sparse: true })
schema.index({ batchId: 1 }, { sparse: true })
schema.index({ removeAt: 1 }, { expireAfterSeconds: 0 })

export function invitationModel(connection: Connection) {
  return modelOf<InvitationDocument>(connection, 'Invitation', schema, 'invitations')
}
