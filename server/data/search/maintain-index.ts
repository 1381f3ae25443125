import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { beginMerge, type Merge } from './merge-segments.ts'
import { searchEntryModel } from './search-entry-model.ts'
import { searchIndexModel } from './search-index-model.ts'
import {
  addSegment,
  beginSegment,
  garbageAgeMs,
  readIndex,
  removeGarbage,
  type SearchIndex,
  type Segment,
} from './segments.ts'

/** Segments of a size class are merged once there are this many; the next class is larger by the same factor. */
const mergeFactor = 8
const smallestClassBytes = 128 * 1024
/** A process may have added a segment but not yet stored which recording it belongs to; none takes this long. */
const settleMs = 60_000
const retryMs = 10 * 60_000

interface RelieveOptions {
  /** Default: from the beginning. */
  since?: Date
  /** The current index. Default: it is read. */
  index?: SearchIndex
}

/** Keeps the search indexes of all owners small. */
export interface IndexMaintenance {
  /** Does one short piece of work, such as a part of a merge (merge-segments.ts). Returns whether there was any to do. */
  runOnce(): Promise<boolean>
  /** Merges an owner's smallest segments added after `since` if enough of them are waiting to slow down searches. */
  relieve(ownerId: string, options?: RelieveOptions): Promise<void>
  /** Removes segments that no longer refer to any recording, without reading them: their blocks may be damaged. */
  dropDead(ownerId: string): Promise<void>
}

/** While recordings arrive continuously, segments are merged once an owner has this many small ones. */
const maxWaitingSegments = 3 * mergeFactor

/**
 * Creates the maintenance, which merges segments, and removes unreferenced blocks and words of deleted recordings. One process at a time
 * should run it; two only waste work, because each change to an index is conditional on what it replaces.
 */
export function createIndexMaintenance(connection: DatabaseConnection): IndexMaintenance {
  let current: Merge | undefined

  async function runOnce(): Promise<boolean> {
    if (current) {
      const merge = current
      await orPostpone(merge.ownerId, () => advance(merge))
      return true
    }
    const now = await readDatabaseTime(connection)
    const due = await searchIndexModel(connection)
      .findOne({ dueAt: { $lte: now } }, { _id: 1 })
      .sort({ dueAt: 1 })
      .lean()
    if (!due) return false
    const ownerId = due._id.toHexString()
    await orPostpone(ownerId, async () => {
      const index = await readIndex(connection, ownerId)
      if (index) await maintain(ownerId, index, now)
    })
    return true
  }

  /** Postpones the work on failure: an unreadable index, such as one with a damaged block, must not block maintenance for other owners. */
  async function orPostpone(ownerId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const dueAt = new Date((await readDatabaseTime(connection)).getTime() + retryMs)
      await searchIndexModel(connection).updateOne({ _id: toObjectId(ownerId) }, { $set: { dueAt } })
      throw error
    }
  }

  async function advance(merge: Merge): Promise<void> {
    try {
      if (!(await merge.advance())) current = undefined
    } catch (error) {
      // What the merge wrote is garbage now; the segments are unchanged.
      current = undefined
      throw error
    }
  }

  async function maintain(ownerId: string, index: SearchIndex, now: Date): Promise<void> {
    const agedAt = now.getTime() - garbageAgeMs
    const aged = index.garbage.filter(({ since }) => since.getTime() <= agedAt).map(({ id }) => id)
    if (aged.length > 0) return removeGarbage(connection, ownerId, aged)
    if (index.purgeAt && index.purgeAt <= now) return beginPurge(ownerId, index, now)
    const inputs = chooseInputs(index.segments)
    if (inputs) return begin(ownerId, inputs, now)
    await postpone(ownerId, index)
  }

  async function begin(ownerId: string, inputs: Segment[], now: Date): Promise<void> {
    const dead = await findDead(connection, ownerId, inputs, now)
    current = await beginMerge(connection, ownerId, { inputs, dead })
  }

  /** Begins rewriting the segments that contain words of deleted recordings. */
  async function beginPurge(ownerId: string, index: SearchIndex, now: Date): Promise<void> {
    const dead = await findDead(connection, ownerId, index.segments, now)
    const inputs = index.segments.filter(({ ordinals }) => ordinals.some((ordinal) => dead.has(ordinal)))
    const isSettled = index.segments.every(({ addedAt }) => isOlder(addedAt, now, settleMs))
    const isLast = isSettled && inputs.length === 0
    // Checked again after a merge, which a crash may interrupt.
    const next = isLast ? { $unset: { purgeAt: true } } : { $set: { purgeAt: new Date(now.getTime() + settleMs) } }
    const { matchedCount } = await searchIndexModel(connection).updateOne(
      { _id: toObjectId(ownerId), version: index.version },
      next,
    )
    if (matchedCount === 0 || inputs.length === 0) return
    current = await beginMerge(connection, ownerId, { inputs, dead })
  }

  async function postpone(ownerId: string, { version, garbage, purgeAt }: SearchIndex): Promise<void> {
    const times = garbage.map(({ since }) => since.getTime() + garbageAgeMs)
    if (purgeAt) times.push(purgeAt.getTime())
    const next = times.length > 0 ? { $set: { dueAt: new Date(Math.min(...times)) } } : { $unset: { dueAt: true } }
    await searchIndexModel(connection).updateOne({ _id: toObjectId(ownerId), version }, next)
  }

  async function relieve(ownerId: string, { since = new Date(0), index: known }: RelieveOptions = {}): Promise<void> {
    const index = known ?? (await readIndex(connection, ownerId))
    const small = index?.segments.filter((segment) => sizeClass(segment) === 0 && segment.addedAt >= since) ?? []
    if (small.length < maxWaitingSegments) return
    const now = await readDatabaseTime(connection)
    const inputs = small.slice(0, 2 * mergeFactor)
    const dead = await findDead(connection, ownerId, inputs, now)
    const merge = await beginMerge(connection, ownerId, { inputs, dead })
    while (await merge.advance());
  }

  async function dropDead(ownerId: string): Promise<void> {
    const index = await readIndex(connection, ownerId)
    if (!index) return
    const dead = await findDead(connection, ownerId, index.segments, await readDatabaseTime(connection))
    const replaced = index.segments.filter(({ ordinals }) => ordinals.every((ordinal) => dead.has(ordinal)))
    if (replaced.length === 0) return
    const begun = await beginSegment(connection, ownerId)
    await addSegment(connection, ownerId, { segment: null, replaced: replaced.map(({ id }) => id) }, begun)
  }

  return { runOnce, relieve, dropDead }
}

/** Returns the segments of the smallest size class with enough of them to merge. */
function chooseInputs(segments: Segment[]): Segment[] | undefined {
  const classes = Map.groupBy(segments, sizeClass)
  const [smallest] = [...classes.entries()]
    .filter(([, members]) => members.length >= mergeFactor)
    .toSorted(([a], [b]) => a - b)
  return smallest?.[1].slice(0, 2 * mergeFactor)
}

function sizeClass({ sizeBytes }: Segment): number {
  return Math.max(0, Math.ceil(Math.log(sizeBytes / smallestClassBytes) / Math.log(mergeFactor)))
}

/** Returns the ordinals in segments that no longer refer to a recording: it is gone, or its lines were rewritten. */
async function findDead(
  connection: DatabaseConnection,
  owner: string,
  segments: Segment[],
  now: Date,
): Promise<Set<number>> {
  const settled = segments.filter(({ addedAt }) => isOlder(addedAt, now, settleMs))
  const ordinals = settled.flatMap((segment) => segment.ordinals)
  if (ordinals.length === 0) return new Set()
  const ownerId = toObjectId(owner)
  const between = { $gte: ordinals.reduce((a, b) => Math.min(a, b)), $lte: ordinals.reduce((a, b) => Math.max(a, b)) }
  const live = await searchEntryModel(connection)
    .find({ ownerId, ordinal: between }, { ordinal: 1 })
    .sort({ ordinal: 1 })
    .lean<{ ordinal: number }[]>()
  const isLive = new Set(live.map(({ ordinal }) => ordinal))
  return new Set(ordinals.filter((ordinal) => !isLive.has(ordinal)))
}

function isOlder(date: Date, now: Date, ageMs: number): boolean {
  return date.getTime() <= now.getTime() - ageMs
}

/** Returns in how many milliseconds any index needs work; Infinity where none does. */
export async function indexWorkDueInMs(connection: DatabaseConnection): Promise<number> {
  const next = await searchIndexModel(connection)
    .findOne({ dueAt: { $gt: new Date(0) } }, { dueAt: 1 })
    .sort({ dueAt: 1 })
    .lean()
  if (!next?.dueAt) return Infinity
  return next.dueAt.getTime() - (await readDatabaseTime(connection)).getTime()
}
