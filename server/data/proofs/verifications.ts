import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { verificationModel, type VerificationDocument } from './verification-model.ts'

export interface VerificationRecord extends Omit<VerificationDocument, '_id' | 'userId'> {
  /** SHA-256 of the link's token. */
  tokenHash: string
  ownerId: string
}

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
