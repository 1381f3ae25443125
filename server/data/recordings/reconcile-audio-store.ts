import type { AudioFile, AudioStore } from '../audio-store/audio-store.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { recordingModel } from './recording-model.ts'

/** No upload takes this long: an older file without a document will never get one. */
const minOrphanAgeMs = 24 * 3600 * 1000

export interface AudioStoreReport {
  /** Number of deleted partial files of interrupted uploads; no such upload was ever acknowledged. */
  parts: number
  /** Number of quarantined files without a document, as left by a crash before the document was written. */
  orphans: number
  /** Number of recordings whose file is missing: only a backup can restore it. */
  missing: number
}

interface StoresToCompare {
  connection: DatabaseConnection
  audioStore: AudioStore
}

/** Compares the audio store with the recordings. Deletes no file of an acknowledged upload. */
export async function reconcileAudioStore({ connection, audioStore }: StoresToCompare): Promise<AudioStoreReport> {
  const before = new Date((await readDatabaseTime(connection)).getTime() - minOrphanAgeMs)
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

/** Returns how many files older than a day have no document: those that reconcileAudioStore quarantines. */
export async function countOrphans({ connection, audioStore }: StoresToCompare): Promise<number> {
  const before = new Date((await readDatabaseTime(connection)).getTime() - minOrphanAgeMs)
  let orphans = 0
  for await (const files of audioStore.listOlder(before)) {
    const known = await knownIds(connection, files)
    orphans += files.filter(({ id }) => !known.has(id)).length
  }
  return orphans
}

/** Returns the ids that have a document, including deleted recordings, whose files are being removed. */
async function knownIds(connection: DatabaseConnection, files: AudioFile[]): Promise<Set<string>> {
  const ids = files.map(({ id }) => toObjectId(id))
  const found = await recordingModel(connection)
    .find({ _id: { $in: ids } }, { _id: 1 })
    .lean()
  return new Set(found.map(({ _id }) => _id.toHexString()))
}

async function countMissing(connection: DatabaseConnection, audioStore: AudioStore): Promise<number> {
  let missing = 0
  for await (const { _id, extension } of recordingModel(connection)
    .find({ deletedAt: null }, { extension: 1 })
    .lean()
    .cursor()) {
    if ((await audioStore.size({ id: _id.toHexString(), extension })) === null) missing += 1
  }
  return missing
}
