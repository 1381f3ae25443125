import { Types, type Connection } from 'mongoose'
import type { AudioFile, AudioStore } from '../audio-store/audio-store.ts'
import { readDatabaseTime } from '../database-time.ts'
import { recordingModel } from './recording-model.ts'

/** No upload takes that long: what is older and has no document will never get one. */
const settledMs = 24 * 3600 * 1000

export interface TidyResult {
  /** Uploads cut short whose beginnings were deleted; nobody was told that they had arrived. */
  parts: number
  /** Files without a document, as a crash between the two leaves them; they were put aside. */
  orphans: number
  /** Recordings whose file is gone: only a backup brings it back. */
  missing: number
}

/** Compares the audio store with the recordings. Deletes nothing that anybody was told to be stored. */
export async function tidyAudio({
  connection,
  audioStore,
}: {
  connection: Connection
  audioStore: AudioStore
}): Promise<TidyResult> {
  const before = new Date((await readDatabaseTime(connection)).getTime() - settledMs)
  const parts = await audioStore.removePartsOlder(before)
  let orphans = 0
  for await (const files of audioStore.listOlder(before)) {
    const known = await knownIds(connection, files)
    for (const file of files.filter(({ id }) => !known.has(id))) {
      await audioStore.quarantine(file)
      orphans += 1
    }
  }
  return { parts, orphans, missing: await countMissing(connection, audioStore) }
}

/** Deleted recordings count as known: their files are on their way out. */
async function knownIds(connection: Connection, files: AudioFile[]): Promise<Set<string>> {
  const ids = files.map(({ id }) => Types.ObjectId.createFromHexString(id))
  const found = await recordingModel(connection)
    .find({ _id: { $in: ids } }, { _id: 1 })
    .lean()
  return new Set(found.map(({ _id }) => _id.toHexString()))
}

async function countMissing(connection: Connection, audioStore: AudioStore): Promise<number> {
  let missing = 0
  for await (const { _id, extension } of recordingModel(connection)
    .find({ deletedAt: null }, { extension: 1 })
    .lean()
    .cursor()) {
    if ((await audioStore.size({ id: _id.toHexString(), extension })) === null) missing += 1
  }
  return missing
}
