import type { Connection } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { sessionModel, type SessionDocument } from './session-model.ts'
import type { SessionKey } from './sessions.ts'

/** Selects sessions that began at a provider: all of them, those of one provider session (`sid`), or those of one user. */
export interface ProviderSessionQuery {
  providerId: string
  sid?: string | undefined
  ownerId?: string | undefined
}

const maxListed = 500

/** Finds sessions by the provider at which they began. */
export function createProviderSessionRepository(connection: Connection) {
  const sessions = sessionModel(connection)

  /** Returns at most 500 sessions: a caller that ends them repeats the call until there are none. */
  async function list({ providerId, sid, ownerId }: ProviderSessionQuery): Promise<SessionKey[]> {
    const found = await sessions
      .find(
        {
          'provider.id': { $eq: providerId },
          ...(sid !== undefined && { 'provider.sid': { $eq: sid } }),
          ...(ownerId !== undefined && { userId: toObjectId(ownerId) }),
        },
        { userId: 1 },
      )
      .limit(maxListed)
      .lean<Pick<SessionDocument, '_id' | 'userId'>[]>()
    return found.map(({ _id, userId }) => ({ id: _id.toHexString(), ownerId: userId.toHexString() }))
  }

  return { list }
}

export type ProviderSessionRepository = ReturnType<typeof createProviderSessionRepository>
