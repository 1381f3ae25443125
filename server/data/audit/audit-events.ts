import type { QueryFilter } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId, withId } from '../ids.ts'
import { literalPattern } from '../model.ts'
import { auditEventModel, type AuditEventDocument } from './audit-event-model.ts'

export interface AuditEventRecord extends Omit<AuditEventDocument, '_id' | 'actorId' | 'recordingId'> {
  id: string
  actorId: string | null
  recordingId?: string
}

/** Empty strings and absent fields match everything. */
export interface AuditQuery {
  /** Matches any part of actor, target, action, details or address. */
  search: string
  action: string
  outcome: string
  /** ISO 8601. */
  from?: string | undefined
  to?: string | undefined
}

/** An event that is not about a recording: `insertRecordingEvents` stores those that are. */
export type NewAuditEvent = Omit<AuditEventRecord, 'id' | 'recordingId' | 'recordingOwner' | 'uploadedAt'>

interface PageOf {
  page: number
  perPage: number
}

export type AuditEventRepository = ReturnType<typeof createAuditEventRepository>

/** Reads and writes the audit trail. No operation changes or removes an event. */
export function createAuditEventRepository(connection: DatabaseConnection) {
  const events = auditEventModel(connection)

  async function insert({ actorId, ...event }: NewAuditEvent): Promise<void> {
    await events.create({ ...event, actorId: actorId === null ? null : toObjectId(actorId) })
  }

  async function readPage(filter: QueryFilter<AuditEventDocument>, { page, perPage }: PageOf) {
    const [total, found] = await Promise.all([
      events.countDocuments(filter),
      events
        .find(filter)
        .sort({ at: -1, _id: -1 })
        .skip((page - 1) * perPage)
        .limit(perPage)
        .lean<AuditEventDocument[]>(),
    ])
    return { total, events: found.map(toRecord) }
  }

  /** Returns one page of the matching events, newest first, and the total number. */
  const list = (query: AuditQuery, page: PageOf) => readPage(toFilter(query), page)

  /** Yields the newest `limit` matching events, newest first, reading them in batches. */
  async function* stream(query: AuditQuery, limit: number): AsyncGenerator<AuditEventRecord> {
    const cursor = events
      .find(toFilter(query))
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .lean<AuditEventDocument[]>()
      .cursor({ batchSize: 500 })
    for await (const event of cursor) yield toRecord(event)
  }

  /** Returns one page of the events about a recording, newest first, and how many there are. */
  const listOfRecording = (recordingId: string, page: PageOf) =>
    readPage({ recordingId: toObjectId(recordingId) }, page)

  /** Returns the newest events of one action by one actor. */
  async function listByActor(actorId: string, action: string, limit: number): Promise<AuditEventRecord[]> {
    const found = await events
      .find({ actorId: toObjectId(actorId), action })
      .sort({ at: -1 })
      .limit(limit)
      .lean<AuditEventDocument[]>()
    return found.map(toRecord)
  }

  /** Returns how often an action was denied or failed since. */
  async function countFailures(action: string, since: Date): Promise<number> {
    return events.countDocuments({ action, outcome: { $in: ['failure', 'denied'] }, at: { $gte: since } })
  }

  /** Returns the id of the event stored last; null where there is none. */
  async function findNewestId(): Promise<string | null> {
    const newest = await events.findOne({}, { _id: 1 }).sort({ _id: -1 }).lean<Pick<AuditEventDocument, '_id'>>()
    return newest && String(newest._id)
  }

  /** Returns when an action last had this outcome, or undefined. */
  async function findLastTime(action: string, outcome: AuditEventRecord['outcome']): Promise<Date | undefined> {
    const newest = await events
      .findOne({ action: { $eq: action }, outcome }, { at: 1 })
      .sort({ at: -1 })
      .lean<Pick<AuditEventDocument, 'at'>>()
    return newest?.at
  }

  /** Returns whether an action has succeeded since. */
  async function hasSucceeded(action: string, since: Date): Promise<boolean> {
    return (await events.exists({ action: { $eq: action }, outcome: 'success', at: { $gte: since } })) !== null
  }

  return { insert, list, stream, listOfRecording, listByActor, countFailures, findNewestId, findLastTime, hasSucceeded }
}

function toFilter({ search, action, outcome, from, to }: AuditQuery): QueryFilter<AuditEventDocument> {
  const filter: QueryFilter<AuditEventDocument> = {}
  if (action) filter.action = { $eq: action }
  if (outcome === 'success' || outcome === 'failure' || outcome === 'denied') filter.outcome = { $eq: outcome }
  if (outcome === 'unsuccessful') filter.outcome = { $in: ['failure', 'denied'] }
  if (from || to) filter.at = { ...(from && { $gte: new Date(from) }), ...(to && { $lte: new Date(to) }) }
  if (search) {
    const pattern = literalPattern(search)
    filter.$or = [{ actor: pattern }, { target: pattern }, { action: pattern }, { details: pattern }, { ip: pattern }]
  }
  return filter
}

function toRecord({ recordingId, ...document }: AuditEventDocument): AuditEventRecord {
  return {
    ...withId(document),
    actorId: document.actorId?.toHexString() ?? null,
    ...(recordingId && { recordingId: recordingId.toHexString() }),
  }
}
