import { type Connection, Schema, type Types } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { modelOf } from '../model.ts'

export interface VerificationRecord extends Omit<VerificationDocument, '_id' | 'userId'> {
  /** SHA-256 of the link's token. */
  tokenHash: string
  ownerId: string
}

/** A verification link that was mailed. */
interface VerificationDocument {
  /** SHA-256 of the token. */
  _id: string
  userId: Types.ObjectId
  /** The address that it proves. */
  email: string
  expiresAt: Date
}

const verificationSchema = new Schema<VerificationDocument>(
  {
    _id: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    email: { type: String, default: '' },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
verificationSchema.index({ userId: 1 })
verificationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

/** Reads and writes the verification links that were mailed. */
export function createVerificationRepository(connection: Connection) {
  const verifications = verificationModel(connection)

  async function insert({ tokenHash, ownerId, ...fields }: VerificationRecord): Promise<void> {
    await verifications.create({ ...fields, _id: tokenHash, userId: toObjectId(ownerId) })
  }

  /** Removes and returns a link that is valid at `now`. */
  async function consume(tokenHash: string, now: Date): Promise<VerificationRecord | undefined> {
    const found = await verifications
      .findOneAndDelete({ _id: tokenHash, expiresAt: { $gt: now } })
      .lean<VerificationDocument>()
    if (!found) return undefined
    const { _id, userId, ...fields } = found
    return { ...fields, tokenHash: _id, ownerId: userId.toHexString() }
  }

  async function removeByOwner(ownerId: string): Promise<void> {
    await verifications.deleteMany({ userId: toObjectId(ownerId) })
  }

  return { insert, consume, removeByOwner }
}

export type VerificationRepository = ReturnType<typeof createVerificationRepository>

export function verificationModel(connection: Connection) {
  return modelOf<VerificationDocument>(connection, 'Verification', verificationSchema, 'verifications')
}
