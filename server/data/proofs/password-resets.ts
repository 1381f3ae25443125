import { type Connection, Schema, type Types } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { modelOf } from '../model.ts'

export type PasswordResetRecord = Omit<PasswordResetDocument, '_id'> & { ownerId: string }

/** The one valid password reset of a user; a newer one replaces it. */
interface PasswordResetDocument {
  /** The user's id. */
  _id: Types.ObjectId
  /** HMAC of the 6-digit code with the user's id. */
  codeHash: string
  /** SHA-256 of the link's token. */
  tokenHash: string
  /** Wrong tries of the code, plus those being checked. */
  tries: number
  expiresAt: Date
}

const resetSchema = new Schema<PasswordResetDocument>(
  {
    codeHash: { type: String, required: true },
    tokenHash: { type: String, required: true },
    tries: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
resetSchema.index({ tokenHash: 1 })
resetSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

/** Reads and writes the pending password reset of each user. */
export function createPasswordResetRepository(connection: Connection) {
  const resets = passwordResetModel(connection)

  /** Stores a reset, replacing any earlier one. */
  async function replace({ ownerId, ...fields }: PasswordResetRecord): Promise<void> {
    await resets.findOneAndUpdate({ _id: toObjectId(ownerId) }, { $set: fields }, { upsert: true })
  }

  /** Counts a try of the code, unless the reset has expired at `now` or has had `maxTries`. Returns the reset including that try. */
  async function countTry(
    ownerId: string,
    { maxTries, now }: { maxTries: number; now: Date },
  ): Promise<PasswordResetRecord | undefined> {
    const counted = await resets
      .findOneAndUpdate(
        { _id: toObjectId(ownerId), tries: { $lt: maxTries }, expiresAt: { $gt: now } },
        { $inc: { tries: 1 } },
        { returnDocument: 'after' },
      )
      .lean<PasswordResetDocument>()
    return counted ? toRecord(counted) : undefined
  }

  /** Undoes the count of a correct try. */
  async function uncountTry({ ownerId, codeHash }: PasswordResetRecord): Promise<void> {
    await resets.updateOne({ _id: toObjectId(ownerId), codeHash }, { $inc: { tries: -1 } })
  }

  async function findByToken(tokenHash: string, now: Date): Promise<PasswordResetRecord | undefined> {
    const found = await resets.findOne({ tokenHash, expiresAt: { $gt: now } }).lean<PasswordResetDocument>()
    return found ? toRecord(found) : undefined
  }

  /** Removes a reset. Returns whether there was one. */
  async function remove(ownerId: string): Promise<boolean> {
    const { deletedCount } = await resets.deleteOne({ _id: toObjectId(ownerId) })
    return deletedCount > 0
  }

  return { replace, countTry, uncountTry, findByToken, remove }
}

export type PasswordResetRepository = ReturnType<typeof createPasswordResetRepository>

function toRecord({ _id, ...fields }: PasswordResetDocument): PasswordResetRecord {
  return { ...fields, ownerId: _id.toHexString() }
}

export function passwordResetModel(connection: Connection) {
  return modelOf<PasswordResetDocument>(connection, 'PasswordReset', resetSchema, 'password_resets')
}
