import { AppError } from '#contract/app-error.ts'
import { maxTags } from '#contract/library.ts'
import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
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
}

/**
 * Adds and removes tags of an owner's recordings; a tag that is in both lists is added. Returns how many recordings changed. Throws
 * `conflict` where one would have too many: before anything is changed, unless somebody else has filled it meanwhile.
 */
export async function changeTags(
  connection: DatabaseConnection,
  ownerId: string,
  { ids, ...change }: TagChange & { ids: string[] },
): Promise<number> {
  const changed: TaggedRecording[] = []
  await inChunks(ids, async (chunk) => {
    changed.push(...(await findChanged(connection, { ownerId, ids: chunk, change })))
  })
  if (changed.some(({ before, after }) => after.length > maxTags && after.length > before.length)) throw tooManyTags()
  await inChunks(changed, async (chunk) => {
    await writeTags(
      connection,
      ownerId,
      chunk.map(({ id }) => id),
      change,
    )
  })
  return changed.length
}

/** Returns the recordings whose tags differ afterwards. */
async function findChanged(
  connection: DatabaseConnection,
  { ownerId, ids, change: { add, remove } }: { ownerId: string; ids: string[]; change: TagChange },
): Promise<TaggedRecording[]> {
  const found = await recordingModel(connection)
    .find({ _id: { $in: ids.map(toObjectId) }, ownerId: toObjectId(ownerId), deletedAt: null }, { tags: 1 })
    .batchSize(ids.length)
    .lean()
  const removed = new Set(remove)
  return found.flatMap(({ _id, tags: before = [] }) => {
    const after = [...new Set([...before.filter((tag) => !removed.has(tag)), ...add])]
    const isSame = after.length === before.length && after.every((tag) => before.includes(tag))
    return isSame ? [] : [{ id: _id.toHexString(), before, after }]
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
    ...(removed.length > 0 ? [{ filter: {}, update: { $pullAll: { tags: removed } } }] : []),
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
