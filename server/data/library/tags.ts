import { AppError } from '#contract/app-error.ts'
import { maxTags } from '#contract/library.ts'
import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { notHeld } from '../holds/held.ts'
import { hasRoomFor } from '../list-room.ts'
import { findKeptRecordings } from '../recordings/lifecycle.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { updateEntries } from './entries.ts'
import { inChunks } from './in-chunks.ts'

interface TagChange {
  add: string[]
  remove: string[]
}

interface TaggedRecording {
  id: string
  /** As they are now, and as they will be. */
  before: string[]
  after: string[]
  isChanged: boolean
  /** It is on hold, and would have lost tags. */
  keepsTags: boolean
}

/**
 * Adds and removes tags of an owner's recordings; a tag that is in both lists is added. Recordings on hold keep their tags. Returns which
 * recordings changed, and how many would have lost a tag and are on hold. Throws
 * `conflict` where one would have too many: before anything is changed, unless somebody else has filled it in the meantime.
 */
export async function changeTags(
  connection: DatabaseConnection,
  ownerId: string,
  { ids, ...change }: TagChange & { ids: string[] },
): Promise<{ ids: string[]; held: number }> {
  const found: TaggedRecording[] = []
  await inChunks(ids, async (chunk) => {
    found.push(...(await findChanged(connection, { ownerId, ids: chunk, change })))
  })
  const changed = found.filter(({ isChanged }) => isChanged)
  if (changed.some(({ before, after }) => after.length > maxTags && after.length > before.length)) throw tooManyTags()
  await inChunks(changed, async (chunk) => {
    await writeTags(
      connection,
      ownerId,
      chunk.map(({ id }) => id),
      change,
    )
  })
  return { ids: changed.map(({ id }) => id), held: found.filter(({ keepsTags }) => keepsTags).length }
}

/** Returns the recordings whose tags differ afterwards, or would if they were not on hold. */
async function findChanged(
  connection: DatabaseConnection,
  { ownerId, ids, change: { add, remove } }: { ownerId: string; ids: string[]; change: TagChange },
): Promise<TaggedRecording[]> {
  const found = await recordingModel(connection)
    .find(
      { _id: { $in: ids.map(toObjectId) }, ownerId: toObjectId(ownerId), deletedAt: null },
      { tags: 1, hold: 1, caseHolds: 1 },
    )
    .batchSize(ids.length)
    .lean()
  const removed = new Set(remove)
  return found.flatMap(({ _id, tags: before = [], hold, caseHolds = [] }) => {
    const isHeld = Boolean(hold) || caseHolds.length > 0
    const kept = before.filter((tag) => isHeld || !removed.has(tag))
    const after = [...new Set([...kept, ...add])]
    const isChanged = after.length !== before.length || !after.every((tag) => before.includes(tag))
    const keepsTags = isHeld && before.some((tag) => removed.has(tag) && !add.includes(tag))
    return isChanged || keepsTags ? [{ id: _id.toHexString(), before, after, isChanged, keepsTags }] : []
  })
}

/** Writes what changes, not the whole lists: another tab may add other tags at the same moment. */
async function writeTags(
  connection: DatabaseConnection,
  owner: string,
  ids: string[],
  { add, remove }: TagChange,
): Promise<void> {
  const ownerId = toObjectId(owner)
  const _id = { $in: ids.map(toObjectId) }
  const removed = remove.filter((tag) => !add.includes(tag))
  const recordings = recordingModel(connection)
  const isListed = { _id, ownerId, deletedAt: null }
  const added = [...new Set(add)]
  const updates = [
    ...(removed.length > 0 ? [{ filter: notHeld, update: { $pullAll: { tags: removed } } }] : []),
    ...(added.length > 0
      ? [{ filter: hasRoomFor('tags', added, maxTags), update: { $addToSet: { tags: { $each: added } } } }]
      : []),
  ]
  let isRefused = false
  for (const { filter, update } of updates) {
    const change = await nextChange(connection)
    const announced = { ...update, $set: { change }, $inc: { version: 1 } }
    const { matchedCount } = await recordings.updateMany({ ...isListed, ...filter }, announced)
    const mayBeFull = matchedCount < ids.length && '$addToSet' in update
    isRefused = mayBeFull && (await recordings.exists({ ...isListed, tags: { $not: { $all: added } } })) !== null
  }
  const tagged = await findKeptRecordings(connection, ids)
  await updateEntries(connection, [...tagged.values()])
  if (isRefused) throw tooManyTags()
}

function tooManyTags(): AppError {
  return new AppError('conflict', `A recording can have at most ${maxTags} tags`, {
    help: 'Remove tags that you no longer need, then try again.',
  })
}
