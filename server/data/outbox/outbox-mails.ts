import { type QueryFilter, Schema, type Connection, type Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId, withId } from '../ids.ts'
import { isDuplicateKey, modelOf } from '../model.ts'

export interface OutboxMailRecord extends Omit<OutboxMailDocument, '_id' | 'userId'> {
  id: string
  userId: string
}

const maxListed = 500
const maxRemovedAtOnce = 1000

export type OutboxRepository = ReturnType<typeof createOutboxRepository>

/** A mail waiting for its mail server, or to be delivered by hand. Its message is kept only in files. */
interface OutboxMailDocument {
  _id: Types.ObjectId
  userId: Types.ObjectId
  to: string
  subject: string
  purpose: string
  /** Number of failed deliveries. */
  attempts: number
  /** Why the last delivery failed; empty if none has. */
  lastError: string
  /** When delivery is next attempted; null if no mail server is set. A delivery in progress moves it ahead. */
  nextTryAt: Date | null
  createdAt: Date
  expiresAt: Date
}

const outboxMailSchema = new Schema<OutboxMailDocument>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    to: { type: String, required: true },
    subject: { type: String, required: true },
    purpose: { type: String, required: true },
    attempts: { type: Number, default: 0 },
    lastError: { type: String, default: '' },
    nextTryAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
outboxMailSchema.index({ userId: 1, purpose: 1 })
outboxMailSchema.index({ createdAt: -1, _id: -1 })
outboxMailSchema.index({ expiresAt: 1 })
outboxMailSchema.index({ nextTryAt: 1 })
outboxMailSchema.index({ attempts: 1 })

export function createOutboxRepository(connection: DatabaseConnection) {
  const mails = outboxMailModel(connection)

  /**
   * Stores a mail. The caller chooses the id, because the message's files are named by it and written first. When repeated because the
   * reply was lost, it changes nothing.
   */
  async function insert({
    id,
    userId,
    ...mail
  }: Omit<OutboxMailRecord, 'attempts' | 'lastError'>): Promise<OutboxMailRecord> {
    try {
      const created = await mails.create({ ...mail, _id: toObjectId(id), userId: toObjectId(userId) })
      return toRecord(created.toObject())
    } catch (error) {
      const stored = isDuplicateKey(error) ? await findById(id) : null
      if (stored) return stored
      throw error
    }
  }

  async function findById(id: string): Promise<OutboxMailRecord | null> {
    const found = await mails.findOne({ _id: toObjectId(id) }).lean<OutboxMailDocument>()
    return found && toRecord(found)
  }

  /** Returns the latest mails, newest first. */
  async function list(): Promise<OutboxMailRecord[]> {
    const found = await mails.find({}).sort({ createdAt: -1, _id: -1 }).limit(maxListed).lean<OutboxMailDocument[]>()
    return found.map(toRecord)
  }

  function listExpired(now: Date): Promise<OutboxMailRecord[]> {
    return findAll({ expiresAt: { $lte: now } })
  }

  function listByUser(userId: string, purpose?: string): Promise<OutboxMailRecord[]> {
    return findAll({ userId: toObjectId(userId), ...(purpose && { purpose }) })
  }

  /** Returns the ids that have no mail. */
  async function listMissing(ids: string[]): Promise<string[]> {
    if (ids.length === 0) return []
    const found = await mails.find({ _id: { $in: ids.map(toObjectId) } }, { _id: 1 }).lean()
    const known = new Set(found.map(({ _id }) => _id.toHexString()))
    return ids.filter((id) => !known.has(id))
  }

  async function findAll(filter: QueryFilter<OutboxMailDocument>): Promise<OutboxMailRecord[]> {
    return (await mails.find(filter).limit(maxRemovedAtOnce).lean<OutboxMailDocument[]>()).map(toRecord)
  }

  /** Claims the mail that has been due longest until `leaseUntil`, atomically, so that no other server claims it before then. */
  async function claimDue(now: Date, leaseUntil: Date): Promise<OutboxMailRecord | null> {
    const due = { nextTryAt: { $lte: now }, expiresAt: { $gt: now } }
    const claimed = await mails
      .findOneAndUpdate(due, { $set: { nextTryAt: leaseUntil } }, { sort: { nextTryAt: 1 } })
      .lean<OutboxMailDocument>()
    return claimed && toRecord(claimed)
  }

  /** Returns when the next mail is due; null where none waits for a mail server. */
  async function readNextTry(now: Date): Promise<Date | null> {
    const next = await mails
      .findOne({ nextTryAt: { $gt: new Date(0) }, expiresAt: { $gt: now } }, { nextTryAt: 1 })
      .sort({ nextTryAt: 1 })
      .lean<OutboxMailDocument>()
    return next?.nextTryAt ?? null
  }

  async function recordFailure(
    id: string,
    { lastError, nextTryAt }: Pick<OutboxMailRecord, 'lastError' | 'nextTryAt'>,
  ): Promise<void> {
    await mails.updateOne({ _id: toObjectId(id) }, { $set: { lastError, nextTryAt }, $inc: { attempts: 1 } })
  }

  /** Reschedules the next delivery of a mail that waits for one, without counting an attempt. */
  async function postpone(id: string, nextTryAt: Date): Promise<void> {
    await mails.updateOne({ _id: toObjectId(id), nextTryAt: { $ne: null } }, { $set: { nextTryAt } })
  }

  async function countFailing(): Promise<number> {
    return mails.countDocuments({ attempts: { $gt: 0 } })
  }

  async function countWaiting(now: Date): Promise<number> {
    return mails.countDocuments({ expiresAt: { $gt: now } })
  }

  async function remove(id: string): Promise<void> {
    await mails.deleteOne({ _id: toObjectId(id) })
  }

  return {
    insert,
    findById,
    list,
    listExpired,
    listByUser,
    listMissing,
    claimDue,
    readNextTry,
    recordFailure,
    postpone,
    countFailing,
    countWaiting,
    remove,
  }
}

/** Documents of earlier versions lack the fields of retries. */
function toRecord({ attempts, lastError, nextTryAt, ...document }: OutboxMailDocument): OutboxMailRecord {
  return {
    ...withId(document),
    userId: document.userId.toHexString(),
    attempts: attempts ?? 0,
    lastError: lastError ?? '',
    nextTryAt: nextTryAt ?? null,
  }
}

export function outboxMailModel(connection: Connection) {
  return modelOf<OutboxMailDocument>(connection, 'OutboxMail', outboxMailSchema, 'outbox_mails')
}
