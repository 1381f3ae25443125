import type { Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { createKeyedMutex } from '../keyed-mutex.ts'
import { openQueue } from '../jobs/queue.ts'
import { listJobsOfRecordings } from '../jobs/results.ts'
import { recordingModel, type RecordingDocument } from '../recordings/recording-model.ts'
import { toRecordingRecord } from '../recordings/recording-record.ts'
import { currentTranscription } from '../recordings/versions.ts'
import { insertEntries, toEntry } from './entries.ts'
import { inChunks } from './in-chunks.ts'
import { libraryEntryModel } from './library-entry-model.ts'
import { libraryOwnerModel } from './library-owner-model.ts'
import { recordingState } from './recording-state.ts'

/** Few enough that a query ends well within its time limit. */
const recordingsPerPage = 1_000

/** The owners of each database whose recordings are known to have entries. */
const complete = new WeakMap<DatabaseConnection, Set<string>>()
const runExclusive = createKeyedMutex()

/** Writes entries missing for recordings of older versions, once per owner; any code that stores a recording writes its entry. */
export async function ensureEntries(connection: DatabaseConnection, ownerId: string): Promise<void> {
  const known = complete.get(connection) ?? new Set<string>()
  complete.set(connection, known)
  if (known.has(ownerId)) return
  await runExclusive(ownerId, async () => {
    if (known.has(ownerId)) return
    const model = libraryOwnerModel(connection)
    const owner = await model.findById(toObjectId(ownerId)).lean()
    if (!owner?.isComplete) {
      await writeMissingEntries(connection, ownerId)
      await model.updateOne({ _id: toObjectId(ownerId) }, { $set: { isComplete: true } }, { upsert: true })
    }
    known.add(ownerId)
  })
}

async function writeMissingEntries(connection: DatabaseConnection, ownerId: string): Promise<void> {
  for await (const ids of recordingPages(connection, ownerId)) {
    const written = await libraryEntryModel(connection)
      .find({ _id: { $in: ids }, ownerId: toObjectId(ownerId) }, { _id: 1 })
      .batchSize(ids.length)
      .lean()
    const known = new Set(written.map(({ _id }) => _id.toHexString()))
    await inChunks(
      ids.filter((id) => !known.has(id.toHexString())),
      (chunk) => writeEntries(connection, ownerId, chunk),
    )
  }
}

/** Yields the ids of an owner's recordings, newest first; a page begins at the creation time at which the previous one ended. */
async function* recordingPages(connection: DatabaseConnection, ownerId: string): AsyncGenerator<Types.ObjectId[]> {
  let limit = recordingsPerPage
  let before: Date | undefined
  for (;;) {
    const page = await recordingModel(connection)
      .find(
        { ownerId: toObjectId(ownerId), deletedAt: null, ...(before && { createdAt: { $lte: before } }) },
        { createdAt: 1 },
      )
      .sort({ createdAt: -1 })
      .limit(limit)
      .batchSize(limit)
      .lean()
    yield page.map(({ _id }) => _id)
    const last = page.at(-1)
    if (!last || page.length < limit) return
    // The whole page may have the same creation time.
    if (before && last.createdAt >= before) limit *= 2
    before = last.createdAt
  }
}

/** Writes entries without hits, which the engine counts later. */
async function writeEntries(connection: DatabaseConnection, owner: string, ids: Types.ObjectId[]): Promise<void> {
  const found = await recordingModel(connection)
    .find(
      { _id: { $in: ids }, ownerId: toObjectId(owner), deletedAt: null },
      { peaks: 0, speakerCorrections: 0, otherSpeakerCorrections: 0 },
    )
    .lean<RecordingDocument[]>()
  const recordings = found.map(toRecordingRecord)
  const jobs = await listJobsOfRecordings(
    openQueue(connection),
    owner,
    recordings.map(({ id }) => id),
  )
  const byRecording = Map.groupBy(jobs, ({ recordingId }) => recordingId)
  const entries = recordings.map((recording) => {
    const own = byRecording.get(recording.id) ?? []
    const { languages = [] } = currentTranscription(recording, own) ?? {}
    return toEntry(recording, { state: recordingState(own), languages })
  })
  await insertEntries(connection, entries)
}
