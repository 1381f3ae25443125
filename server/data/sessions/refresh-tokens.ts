import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey } from '../model.ts'
import { refreshTokenModel, type RefreshTokenDocument } from './refresh-token-model.ts'

/** One issued refresh token. `hash` and `parent`: SHA-256, base64url. */
export interface RefreshTokenRecord extends Omit<RefreshTokenDocument, '_id' | 'sessionId' | 'userId'> {
  hash: string
  sessionId: string
  ownerId: string
}

/** Reads and writes the chains of refresh tokens. */
export function createRefreshTokenRepository(connection: Connection) {
  const refreshTokens = refreshTokenModel(connection)

  async function find(hash: string): Promise<RefreshTokenRecord | undefined> {
    const found = await refreshTokens.findOne({ _id: hash }).lean<RefreshTokenDocument>()
    return found ? toRecord(found) : undefined
  }

  /** Stores a token unless it is there already, as after a retry. */
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

  /** Returns whether the token that this one was exchanged for has been used. */
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
