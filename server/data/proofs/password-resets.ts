import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { passwordResetModel, type PasswordResetDocument } from './password-reset-model.ts'

export type PasswordResetRecord = Omit<PasswordResetDocument, '_id'> & { ownerId: string }

/** Reads and writes the running password reset of each user. */
export function createPasswordResetRepository(connection: Connection) {
  const resets = passwordResetModel(connection)

  /** Stores a reset in place of an earlier one. */
  async function replace({ ownerId, ...fields }: PasswordResetRecord): Promise<void> {
    await resets.findOneAndUpdate({ _id: toObjectId(ownerId) }, { $set: fields }, { upsert: true })
  }

  /** Counts a try of the code, unless the reset is over at `now` or has had `maxTries`; returns the reset with that try. */
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

  /** Undoes the count of a try that was right. */
  async function uncountTry({ ownerId, codeHash }: PasswordResetRecord): Promise<void> {
    await resets.updateOne({ _id: toObjectId(ownerId), codeHash }, { $inc: { tries: -1 } })
  }

  async function findByToken(tokenHash: string, now: Date): Promise<PasswordResetRecord | undefined> {
    const found = await resets.findOne({ tokenHash, expiresAt: { $gt: now } }).lean<PasswordResetDocument>()
    return found ? toRecord(found) : undefined
  }

  /** Returns whether there was one. */
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
