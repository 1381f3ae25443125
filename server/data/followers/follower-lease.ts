import { Schema, type Connection, type Model } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { isDuplicateKey, modelOf } from '../model.ts'

const leaseMs = 10_000
/** A lease that ends later than any granted now could was granted before the clock was set back: it no longer counts. */
const maxLeaseMs = 2 * leaseMs

/** Identifies a right to follow changes: one process at a time holds the right with a given name. */
export interface FollowerLeaseKey {
  name: string
  holder: string
}

/** A lease that has been taken or extended. */
export interface HeldFollowerLease {
  /** The number up to which changes have been handled; 0 before the first. */
  after: number
  /** Whether another process, or none, held it before. */
  isTakenOver: boolean
}

/** How far a follower of changes has come, and which process currently follows: see follower-lease.ts. */
interface FollowerDocument {
  /** The follower's name. */
  _id: string
  /** Changes up to this number are settled and have been handled. */
  after: number
  holder: string
  leaseUntil: Date
}

const schema = new Schema<FollowerDocument>(
  {
    _id: { type: String, required: true },
    after: { type: Number, required: true },
    holder: { type: String, required: true },
    leaseUntil: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false },
)

/** Takes or extends a lease for 10 s of database time. Returns null while another process holds it. */
export async function takeFollowerLease(
  connection: DatabaseConnection,
  { name, holder }: FollowerLeaseKey,
): Promise<HeldFollowerLease | null> {
  const now = await readDatabaseTime(connection)
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const latest = new Date(now.getTime() + maxLeaseMs)
  try {
    const before = await followerModel(connection)
      .findOneAndUpdate(
        { _id: name, $or: [{ holder }, { leaseUntil: { $lte: now } }, { leaseUntil: { $gt: latest } }] },
        { $set: { holder, leaseUntil }, $setOnInsert: { after: 0 } },
        { upsert: true, returnDocument: 'before' },
      )
      .lean<FollowerDocument>()
    return { after: before?.after ?? 0, isTakenOver: before?.holder !== holder }
  } catch (error) {
    // The document exists and another process holds it, so the upsert failed to insert a second one.
    if (isDuplicateKey(error)) return null
    throw error
  }
}

/** Takes or extends a lease like `takeFollowerLease`. Returns the number up to which changes have been handled, or null. */
export async function holdFollowerLease(connection: DatabaseConnection, key: FollowerLeaseKey): Promise<number | null> {
  return (await takeFollowerLease(connection, key))?.after ?? null
}

/** Returns the number stored with a lease; 0 before the first. */
export async function readFollowerPosition(connection: DatabaseConnection, name: string): Promise<number> {
  return (await followerModel(connection).findById(name).lean<FollowerDocument>())?.after ?? 0
}

/** Returns the last holder of a lease and its end; null where there was none, or the last holder released it. */
export async function readLastHolder(
  connection: DatabaseConnection,
  name: string,
): Promise<Pick<FollowerDocument, 'holder' | 'leaseUntil'> | null> {
  const last = await followerModel(connection).findById(name).lean<FollowerDocument>()
  return last && last.leaseUntil.getTime() > 0 ? last : null
}

/** Stores the number up to which changes have been handled. Returns false if another process has taken over. */
export async function saveFollowerPosition(
  connection: DatabaseConnection,
  { name, holder }: FollowerLeaseKey,
  after: number,
): Promise<boolean> {
  const { matchedCount } = await followerModel(connection).updateOne({ _id: name, holder }, { $set: { after } })
  return matchedCount === 1
}

/** Releases a lease so that another process can follow at once. */
export async function releaseFollowerLease(
  connection: DatabaseConnection,
  { name, holder }: FollowerLeaseKey,
): Promise<void> {
  await followerModel(connection).updateOne({ _id: name, holder }, { $set: { leaseUntil: new Date(0) } })
}

/** Makes the follower handle everything again from the first change. */
export async function resetFollower(connection: DatabaseConnection, name: string): Promise<void> {
  await followerModel(connection).deleteOne({ _id: name })
}

/** The followers of one database connection. */
export function followerModel(connection: Connection): Model<FollowerDocument> {
  return modelOf<FollowerDocument>(connection, 'Follower', schema, 'followers')
}
