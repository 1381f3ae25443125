import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { readTogether } from '../read-together.ts'
import { userModel } from '../users/user-model.ts'
import { toUserRecord } from '../users/user-record.ts'
import { requestUserFields, type RequestUserRecord } from '../users/users.ts'
import { sessionModel, type SessionDocument } from './session-model.ts'

export type SessionRecord = Omit<SessionDocument, '_id' | 'userId'> & { id: string; ownerId: string }

/** Identifies a session of a user. */
export interface SessionKey {
  id: string
  ownerId: string
}

const maxListed = 200

/** Reads and writes sessions. */
export function createSessionRepository(connection: Connection) {
  const sessions = sessionModel(connection)

  async function insert({ id, ownerId, ...fields }: SessionRecord): Promise<void> {
    await sessions.create({ ...fields, _id: toObjectId(id), userId: toObjectId(ownerId) })
  }

  async function find(key: SessionKey): Promise<SessionRecord | undefined> {
    const found = await sessions.findOne(toFilter(key)).lean<SessionDocument>()
    return found ? toSessionRecord(found) : undefined
  }

  /** Returns a session and its active user in their current state; either may be missing. */
  async function findWithUser(
    key: SessionKey,
  ): Promise<{ session: SessionRecord | undefined; user: RequestUserRecord | undefined }> {
    const found = await readTogether({
      session: { model: sessions, filter: toFilter(key) },
      user: {
        model: userModel(connection),
        filter: { _id: toObjectId(key.ownerId), isActive: true },
        projection: requestUserFields,
      },
    })
    return { session: found.session.map(toSessionRecord)[0], user: found.user.map(toUserRecord)[0] }
  }

  /** Returns the sessions of a user that have not expired at `now`, last used first. */
  async function listLive(ownerId: string, now: Date): Promise<SessionRecord[]> {
    const found = await sessions
      .find({ userId: toObjectId(ownerId), idleExpiresAt: { $gt: now }, expiresAt: { $gt: now } })
      .sort({ lastUsedAt: -1 })
      .limit(maxListed)
      .lean<SessionDocument[]>()
    return found.map(toSessionRecord)
  }

  /** Returns the ids of all sessions of a user except the `maxKept` most recently used. */
  async function listSurplus(ownerId: string, maxKept: number): Promise<string[]> {
    const found = await sessions
      .find({ userId: toObjectId(ownerId) }, { _id: 1 })
      .sort({ lastUsedAt: -1 })
      .skip(maxKept)
      .lean()
    return found.map(({ _id }) => _id.toHexString())
  }

  /** Begins the next generation of a session after the password, or every factor, has been confirmed. */
  async function renew(
    key: SessionKey,
    { now, ip, isEveryFactor }: { now: Date; ip: string; isEveryFactor: boolean },
  ): Promise<SessionRecord | undefined> {
    const confirmed = { hasEnteredPassword: true, authenticatedAt: now, ...(isEveryFactor && { confirmedAt: now }) }
    const renewed = await sessions
      .findOneAndUpdate(
        toFilter(key),
        { $inc: { generation: 1 }, $set: { ...confirmed, lastUsedAt: now, ip } },
        { returnDocument: 'after' },
      )
      .lean<SessionDocument>()
    return renewed ? toSessionRecord(renewed) : undefined
  }

  /** Records a use. Returns false if the session is gone. */
  async function recordUse(
    id: string,
    fields: Pick<SessionRecord, 'lastUsedAt' | 'idleExpiresAt' | 'ip'>,
  ): Promise<boolean> {
    const { matchedCount } = await sessions.updateOne({ _id: toObjectId(id) }, { $set: fields })
    return matchedCount === 1
  }

  /** Removes a session. Returns whether it existed. */
  async function remove(key: SessionKey): Promise<boolean> {
    const { deletedCount } = await sessions.deleteOne(toFilter(key))
    return deletedCount > 0
  }

  async function removeAll(ownerId: string, { exceptId }: { exceptId?: string | undefined } = {}): Promise<void> {
    await sessions.deleteMany({
      userId: toObjectId(ownerId),
      ...(exceptId && { _id: { $ne: toObjectId(exceptId) } }),
    })
  }

  return { insert, find, findWithUser, listLive, listSurplus, renew, recordUse, remove, removeAll }
}

export type SessionRepository = ReturnType<typeof createSessionRepository>

function toFilter({ id, ownerId }: SessionKey) {
  return { _id: toObjectId(id), userId: toObjectId(ownerId) }
}

/** Sessions from before generations and password times were stored get the defaults. */
export function toSessionRecord({ _id, userId, ...fields }: SessionDocument): SessionRecord {
  return {
    ...fields,
    generation: fields.generation ?? 0,
    authenticatedAt: fields.authenticatedAt ?? fields.createdAt,
    id: _id.toHexString(),
    ownerId: userId.toHexString(),
  }
}
