import { Types, type Connection, type QueryFilter } from 'mongoose'
import type { Clock } from '#data/clock.ts'
import { literalPattern } from '#data/model.ts'
import { auditModel, type AuditDoc } from '#data/accounts/record-models.ts'
import type { RequestOrigin } from '#server/http/context.ts'

export interface AuditEntry {
  /** Dotted, lowercase: `auth.signin`, `admin.role`. */
  action: string
  outcome: AuditDoc['outcome']
  /** Who did it; for a failed sign-in the e-mail that was tried. */
  actor?: { id: string; email: string } | { email: string }
  /** What was done to whom. */
  target?: string
  /** Facts without content, tokens or codes. */
  details?: string
}

export interface AuditQuery {
  search: string
  action: string
  outcome: string
  from?: string | undefined
  to?: string | undefined
}

/** The origin of what the server or the command line does by itself. */
export const ownOrigin: RequestOrigin = { ip: '', userAgent: '', requestId: '' }

/** The audit trail: entries are added and read, never changed (ASVS 5, 16.2). */
export function createAudit({ connection, clock }: { connection: Connection; clock: Clock }) {
  const events = auditModel(connection)

  async function record(entry: AuditEntry, origin: RequestOrigin): Promise<void> {
    const actorId = entry.actor && 'id' in entry.actor ? new Types.ObjectId(entry.actor.id) : null
    await events.create({
      at: new Date(clock.now()),
      action: entry.action,
      outcome: entry.outcome,
      actor: entry.actor?.email ?? '',
      actorId,
      target: entry.target ?? null,
      ip: origin.ip,
      requestId: origin.requestId,
      details: entry.details ?? '',
    })
  }

  function toFilter({ search, action, outcome, from, to }: AuditQuery): QueryFilter<AuditDoc> {
    const filter: QueryFilter<AuditDoc> = {}
    if (action) filter.action = { $eq: action }
    if (outcome === 'success' || outcome === 'failure' || outcome === 'denied') filter.outcome = { $eq: outcome }
    if (from || to) filter.at = { ...(from && { $gte: new Date(from) }), ...(to && { $lte: new Date(to) }) }
    if (search) {
      const pattern = literalPattern(search)
      filter.$or = [{ actor: pattern }, { target: pattern }, { action: pattern }, { details: pattern }, { ip: pattern }]
    }
    return filter
  }

  async function list(query: AuditQuery, page: { page: number; per_page: number }) {
    const filter = toFilter(query)
    const [total, rows] = await Promise.all([
      events.countDocuments(filter),
      events
        .find(filter)
        .sort({ at: -1, _id: -1 })
        .skip((page.page - 1) * page.per_page)
        .limit(page.per_page)
        .lean<AuditDoc[]>(),
    ])
    return { total, rows }
  }

  /** All matching entries, newest first, at most `limit`, read in batches. */
  function stream(query: AuditQuery, limit: number): AsyncIterable<AuditDoc> {
    return events
      .find(toFilter(query))
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .lean<AuditDoc[]>()
      .cursor({ batchSize: 500 })
  }

  /** The newest attempts of a user to sign in. */
  async function recentSignIns(userId: string, limit: number): Promise<AuditDoc[]> {
    return events
      .find({ actorId: new Types.ObjectId(userId), action: 'auth.signin' })
      .sort({ at: -1 })
      .limit(limit)
      .lean<AuditDoc[]>()
  }

  return { record, list, stream, recentSignIns }
}

export type Audit = ReturnType<typeof createAudit>
