import { AppError } from '#contract/app-error.ts'
import { maxTags } from '#contract/library.ts'
import type { AuditedRecording } from '../audit/recording-events.ts'
import { createChangeNumber } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { notHeld } from '../holds/held.ts'
import { hasRoomFor } from '../list-room.ts'
import { findKeptRecordings, withoutTexts } from '../recordings/lifecycle.ts'
import { recordingModel, type RecordingDocument } from '../recordings/recording-model.ts'
import { toRecordingRecord, type RecordingRecord } from '../recordings/recording-record.ts'
import { saveListedChanges } from './entries.ts'
import { inChunks } from './in-chunks.ts'

interface TagChange {
  add: string[]
  remove: string[]
}

/** A recording whose tags are changed. */
interface TaggedRecording extends AuditedRecording {
  version: number
  /** The current tags, and the future ones. */
  before: string[]
  after: string[]
  isChanged: boolean
  /** Whether it would have lost tags but is on hold. */
  keepsTags: boolean
}

interface TagOutcome {
  changed: AuditedRecording[]
  /** The versions that this change created, by recording id, without recordings that something else changed in the meantime. */
  versions: Map<string, number>
  /** How many would have lost a tag but are on hold. */
  held: number
  /** How many of the recordings the owner has. */
  found: number
}

/**
 * Adds and removes tags of an owner's recordings; a tag in both lists is added, and ids of other owners' recordings are ignored.
 * Recordings on hold keep their tags. Throws `conflict` where a recording would have too many: before anything is changed, unless another
 * request filled it in the meantime.
 */
export async function changeTags(
  connection: DatabaseConnection,
  ownerId: string,
  { ids, ...change }: TagChange & { ids: string[] },
): Promise<TagOutcome> {
  const found: TaggedRecording[] = []
  await inChunks(ids, async (chunk) => {
    found.push(...(await findTagged(connection, { ownerId, ids: chunk, change })))
  })
  const changed = found.filter(({ isChanged }) => isChanged)
  if (changed.some(({ before, after }) => after.length > maxTags && after.length > before.length)) throw tooManyTags()
  const versions = new Map<string, number>()
  await inChunks(changed, async (chunk) => {
    for (const { id, version } of await writeTags(connection, ownerId, chunk, change)) versions.set(id, version)
  })
  return { changed, versions, held: found.filter(({ keepsTags }) => keepsTags).length, found: found.length }
}

async function findTagged(
  connection: DatabaseConnection,
  { ownerId, ids, change: { add, remove } }: { ownerId: string; ids: string[]; change: TagChange },
): Promise<TaggedRecording[]> {
  const found = await recordingModel(connection)
    .find(
      { _id: { $in: ids.map(toObjectId) }, ownerId: toObjectId(ownerId), deletedAt: null },
      { tags: 1, hold: 1, caseHolds: 1, createdAt: 1, version: 1 },
    )
    .batchSize(ids.length)
    .lean()
  const removed = new Set(remove)
  return found.map(({ _id, tags: before = [], hold, caseHolds = [], createdAt, version }) => {
    const isOnHold = Boolean(hold) || caseHolds.length > 0
    const kept = before.filter((tag) => isOnHold || !removed.has(tag))
    const after = [...new Set([...kept, ...add])]
    const isChanged = after.length !== before.length || !after.every((tag) => before.includes(tag))
    const keepsTags = isOnHold && before.some((tag) => removed.has(tag) && !add.includes(tag))
    return { id: _id.toHexString(), ownerId, createdAt, version, before, after, isChanged, keepsTags }
  })
}

/**
 * Writes only what changes, not the whole lists: another tab may be adding other tags at the same time. Returns the recordings
 * that nothing else has changed in the meantime.
 */
async function writeTags(
  connection: DatabaseConnection,
  owner: string,
  tagged: TaggedRecording[],
  { add, remove }: TagChange,
): Promise<Pick<RecordingRecord, 'id' | 'version'>[]> {
  const ownerId = toObjectId(owner)
  const ids = tagged.map(({ id }) => id)
  const isListed = { _id: { $in: ids.map(toObjectId) }, ownerId, deletedAt: null }
  const removed = remove.filter((tag) => !add.includes(tag))
  const added = [...new Set(add)]
  const updates = [
    ...(removed.length > 0 ? [{ filter: notHeld, update: { $pullAll: { tags: removed } } }] : []),
    ...(added.length > 0
      ? [{ filter: hasRoomFor('tags', added, maxTags), update: { $addToSet: { tags: { $each: added } } } }]
      : []),
  ]
  const recordings = recordingModel(connection)
  const takeNumber = createChangeNumber(connection)
  let [isRefused, areAllWritten] = [false, true]
  let written: RecordingDocument | null = null
  for (const { filter, update } of updates) {
    const announced = { ...update, $set: { change: await takeNumber() }, $inc: { version: 1 } }
    if (ids.length === 1) {
      // For a single recording, the write returns the updated document.
      written = await recordings
        .findOneAndUpdate({ ...isListed, ...filter }, announced, { returnDocument: 'after', projection: withoutTexts })
        .lean<RecordingDocument>()
      if (written) continue
    } else {
      const { matchedCount } = await recordings.updateMany({ ...isListed, ...filter }, announced)
      if (matchedCount === ids.length) continue
    }
    areAllWritten = false
    isRefused =
      '$addToSet' in update && (await recordings.exists({ ...isListed, tags: { $not: { $all: added } } })) !== null
  }
  const versions = new Map(areAllWritten ? tagged.map(({ id, version }) => [id, version]) : [])
  const now = written ? [toRecordingRecord(written)] : (await findKeptRecordings(connection, ids)).values()
  const changes = [...now].map((recording) => {
    const versionBefore = versions.get(recording.id)
    // A higher version includes another change.
    const isOnlyTagged = versionBefore !== undefined && recording.version === versionBefore + updates.length
    return { recording, versionBefore: isOnlyTagged ? versionBefore : undefined }
  })
  await saveListedChanges(connection, changes, await takeNumber())
  if (isRefused) throw tooManyTags()
  return changes.flatMap(({ recording, versionBefore }) => (versionBefore === undefined ? [] : [recording]))
}

function tooManyTags(): AppError {
  return new AppError('conflict', `A recording can have at most ${maxTags} tags`, {
    help: 'Remove tags that you no longer need, then try again.',
  })
}
