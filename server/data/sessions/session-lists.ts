import type { QueryFilter } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { sessionModel, type SessionDocument } from './session-model.ts'
import { toSessionRecord, type SessionRecord } from './sessions.ts'

/** What a session must satisfy to be open: the expiry times it was given, and the lifetimes currently set. */
export interface OpenSessions {
  now: Date
  /** Times after which sessions must have begun and must last have been used. */
  session: LifetimeLimits
  remembered: LifetimeLimits
}

interface LifetimeLimits {
  createdAfter: Date
  usedAfter: Date
}

const newestFirst = { lastUsedAt: -1, _id: -1 } as const
const ownersPerQuery = 1000

/** The sessions of all users, for administrators. */
export function createSessionLists(connection: DatabaseConnection) {
  const sessions = sessionModel(connection)

  async function findById(id: string, open: OpenSessions): Promise<SessionRecord | undefined> {
    const found = await sessions.findOne({ _id: toObjectId(id), ...toFilter(open) }).lean<SessionDocument>()
    return found ? toSessionRecord(found) : undefined
  }

  async function count(open: OpenSessions): Promise<number> {
    return sessions.countDocuments(toFilter(open))
  }

  /** Returns a page of all open sessions, last used first, and the total. Few stored sessions have ended, so the index is scanned. */
  async function list(open: OpenSessions, { page, per_page: perPage }: { page: number; per_page: number }) {
    const [total, found] = await Promise.all([
      count(open),
      sessions
        .find(toFilter(open), null, { sort: newestFirst })
        .hint(newestFirst)
        .skip((page - 1) * perPage)
        .limit(perPage)
        .lean<SessionDocument[]>(),
    ])
    return { total, rows: found.map(toSessionRecord) }
  }

  /** Returns a page of the open sessions of some users. For sessions on other pages, only their order is read. */
  async function listOf(
    ownerIds: string[],
    open: OpenSessions,
    { page, per_page: perPage }: { page: number; per_page: number },
  ) {
    const all: Use[] = []
    for (let at = 0; at < ownerIds.length; at += ownersPerQuery) {
      const owners = ownerIds.slice(at, at + ownersPerQuery).map(toObjectId)
      all.push(
        ...(await sessions.find({ userId: { $in: owners }, ...toFilter(open) }, { lastUsedAt: 1 }).lean<Use[]>()),
      )
    }
    const onPage = all.toSorted(byLastUse).slice((page - 1) * perPage, page * perPage)
    const found = await sessions.find({ _id: { $in: onPage.map(({ _id }) => _id) } }).lean<SessionDocument[]>()
    const byId = new Map(found.map((session) => [session._id.toHexString(), session]))
    const rows = onPage.flatMap(({ _id }) => byId.get(_id.toHexString()) ?? [])
    return { total: all.length, rows: rows.map(toSessionRecord) }
  }

  return { findById, count, list, listOf }
}

type Use = Pick<SessionDocument, '_id' | 'lastUsedAt'>

function byLastUse(a: Use, b: Use): number {
  return b.lastUsedAt.getTime() - a.lastUsedAt.getTime() || b._id.toHexString().localeCompare(a._id.toHexString())
}

export type SessionLists = ReturnType<typeof createSessionLists>

function toFilter({ now, session, remembered }: OpenSessions): QueryFilter<SessionDocument> {
  const within = (isRemembered: boolean, { createdAfter, usedAfter }: LifetimeLimits) => ({
    isRemembered,
    createdAt: { $gt: createdAfter },
    lastUsedAt: { $gt: usedAfter },
  })
  return {
    idleExpiresAt: { $gt: now },
    expiresAt: { $gt: now },
    $or: [within(false, session), within(true, remembered)],
  }
}
