import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { CaseColour, CaseRole, MemberRole } from '#contract/cases.ts'
import type { StoredHold } from '../holds/held.ts'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

export interface StoredMember {
  userId: Types.ObjectId
  role: CaseRole
  addedAt: Date
}

/** A person without an account yet, who becomes a member at the first sign-in with a verified account of this address. */
export interface StoredInvitee {
  /** The entry is valid while this invitation is open or accepted; see `joinCases`. */
  invitationId: Types.ObjectId
  email: string
  role: MemberRole
  addedAt: Date
}

/** A case: see CaseRecord. Its recordings are in `case_recordings`. */
export interface CaseDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  name: string
  colour: CaseColour
  notes: string
  /** Includes the owner, who comes first. One list in one document: a removed member loses access with that write. */
  members: StoredMember[]
  /** People with an invitation, who have no access yet; missing where there are none. */
  invitees?: StoredInvitee[]
  createdAt: Date
  /** When name, color, notes, members or recordings last changed. */
  updatedAt: Date
  /** How many times the members have changed. */
  revision: number
  /** Nothing in a case on hold, or in its recordings, is deleted; missing where there is no hold. */
  hold?: StoredHold | null
  /** How many days recordings of the case are kept; 0 for forever, missing where the case sets no limit. */
  retentionDays?: number
}

const member = new Schema<StoredMember>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    role: { type: String, required: true },
    addedAt: { type: Date, required: true },
  },
  { _id: false },
)

const invitee = new Schema<StoredInvitee>(
  {
    invitationId: { type: Schema.Types.ObjectId, required: true },
    email: { type: String, required: true },
    role: { type: String, required: true },
    addedAt: { type: Date, required: true },
  },
  { _id: false },
)

const schema = new Schema<CaseDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    colour: { type: String, required: true },
    notes: { type: String, default: '' },
    members: { type: [member], required: true },
    invitees: { type: [invitee], default: undefined },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    revision: { type: Number, required: true },
    slot: { type: Number },
    hold: { type: Schema.Types.Mixed },
    retentionDays: { type: Number },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ 'members.userId': 1, updatedAt: -1 })
schema.index({ 'invitees.email': 1 }, { sparse: true })
schema.index({ ownerId: 1 })
addSlots(schema, ['ownerId'])
schema.index({ updatedAt: -1 })
schema.index({ 'hold.setAt': 1 }, { sparse: true })
schema.index({ retentionDays: 1 }, { sparse: true })

/** The cases of one database connection. */
export function caseModel(connection: Connection): Model<CaseDocument> {
  return modelOf<CaseDocument>(connection, 'Case', schema, 'cases')
}
