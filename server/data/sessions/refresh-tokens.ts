import { type Connection, Schema, type Types } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey, modelOf } from '../model.ts'

/** One issued refresh token. `hash` and `parent`: SHA-256, base64url. */
export interface RefreshTokenRecord extends Omit<RefreshTokenDocument, '_id' | 'sessionId' | 'userId'> {
  hash: string
  sessionId: string
  ownerId: string
}

/** One issued refresh token, by hash. Used ones are kept until the session ends, so that reuse is detected. */
interface RefreshTokenDocument {
  /** SHA-256, base64url. */
  _id: string
  sessionId: Types.ObjectId
  userId: Types.ObjectId
  /** Hash of the token this one was exchanged for. */
  parent: string | null
  usedAt: Date | null
  expiresAt: Date
}

const refreshTokenSchema = new Schema<RefreshTokenDocument>(
  {
    _id: { type: String, required: true },
    sessionId: { type: Schema.Types.ObjectId, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    parent: { type: String, default: null },
    usedAt: { type: Date, default: null },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
refreshTokenSchema.index({ sessionId: 1, parent: 1 })
refreshTokenSchema.index({ userId: 1 })
refreshTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

/** Reads and writes the chains of refresh tokens. */
export function createRefreshTokenRepository(connection: Connection) {
  const refreshTokens = refreshTokenModel(connection)

  async function find(hash: string): Promise<RefreshTokenRecord | undefined> {
    const found = await refreshTokens.findOne({ _id: hash }).lean<RefreshTokenDocument>()
    return found ? toRecord(found) : undefined
  }

  /** Stores a token unless it already exists, as after a retry. */
  async function insert({ hash, sessionId, ownerId, ...fields }: RefreshTokenRecord): Promise<void> {
    try {
      await refreshTokens.create({
        ...fields,
        _id: hash,
        sessionId: toObjectId(sessionId),
        userId: toObjectId(ownerId),
      })
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
  }

  async function markUsed(hash: string, usedAt: Date): Promise<void> {
    await refreshTokens.updateOne({ _id: hash, usedAt: null }, { $set: { usedAt } })
  }

  /** Returns whether the token issued in exchange for this one has been used. */
  async function hasUsedSuccessor({ sessionId, hash }: RefreshTokenRecord): Promise<boolean> {
    const used = { sessionId: toObjectId(sessionId), parent: hash, usedAt: { $ne: null } }
    return (await refreshTokens.exists(used)) !== null
  }

  async function listUnused(sessionId: string): Promise<RefreshTokenRecord[]> {
    const unused = { sessionId: toObjectId(sessionId), usedAt: null }
    return (await refreshTokens.find(unused).lean<RefreshTokenDocument[]>()).map(toRecord)
  }

  async function removeBySession(sessionId: string, ownerId: string): Promise<void> {
    await refreshTokens.deleteMany({ sessionId: toObjectId(sessionId), userId: toObjectId(ownerId) })
  }

  async function removeByOwner(
    ownerId: string,
    { exceptSessionId }: { exceptSessionId?: string | undefined } = {},
  ): Promise<void> {
    await refreshTokens.deleteMany({
      userId: toObjectId(ownerId),
      ...(exceptSessionId && { sessionId: { $ne: toObjectId(exceptSessionId) } }),
    })
  }

  return { find, insert, markUsed, hasUsedSuccessor, listUnused, removeBySession, removeByOwner }
}

export type RefreshTokenRepository = ReturnType<typeof createRefreshTokenRepository>

function toRecord({ _id, sessionId, userId, ...fields }: RefreshTokenDocument): RefreshTokenRecord {
  return { ...fields, hash: _id, sessionId: sessionId.toHexString(), ownerId: userId.toHexString() }
}

export function refreshTokenModel(connection: Connection) {
  return modelOf<RefreshTokenDocument>(connection, 'RefreshToken', refreshTokenSchema, 'refresh_tokens')
}
