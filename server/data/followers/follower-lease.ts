import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { isDuplicateKey } from '../model.ts'
import { followerModel, type FollowerDocument } from './follower-model.ts'

const leaseMs = 10_000
/** A lease that ends later than any that could be granted now was granted before the clock was set back: it no longer counts. */
const maxLeaseMs = 2 * leaseMs

/**
 * Takes or extends the right to follow changes under a name, which one process has at a time, for 10 s by database time. Returns the
 * number up to which changes were handled, 0 before the first, or null while another process follows.
 */
export async function holdFollowerLease(
  connection: DatabaseConnection,
  { name, holder }: { name: string; holder: string },
): Promise<number | null> {
  const now = await readDatabaseTime(connection)
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const latest = new Date(now.getTime() + maxLeaseMs)
  try {
    const held = await followerModel(connection)
      .findOneAndUpdate(
        { _id: name, $or: [{ holder }, { leaseUntil: { $lte: now } }, { leaseUntil: { $gt: latest } }] },
        { $set: { holder, leaseUntil }, $setOnInsert: { after: 0 } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean<FollowerDocument>()
    return held?.after ?? 0
  } catch (error) {
    // The document exists and another process holds it, so the upsert failed to insert a second one.
    if (isDuplicateKey(error)) return null
    throw error
  }
}

/** Stores the number up to which changes were handled. Returns false where another process has taken over. */
export async function saveFollowerPosition(
  connection: DatabaseConnection,
  { name, holder }: { name: string; holder: string },
  after: number,
): Promise<boolean> {
  const { matchedCount } = await followerModel(connection).updateOne({ _id: name, holder }, { $set: { after } })
  return matchedCount === 1
}

/** Lets another process follow at once. */
export async function releaseFollowerLease(
  connection: DatabaseConnection,
  { name, holder }: { name: string; holder: string },
): Promise<void> {
  await followerModel(connection).updateOne({ _id: name, holder }, { $set: { leaseUntil: new Date(0) } })
}

/** Makes the follower handle everything again from the first change. */
export async function resetFollower(connection: DatabaseConnection, name: string): Promise<void> {
  await followerModel(connection).deleteOne({ _id: name })
}
