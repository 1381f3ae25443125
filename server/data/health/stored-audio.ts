import type { AuditedRecording } from '../audit/recording-events.ts'
import type { DatabaseConnection } from '../connect.ts'
import { isObjectId, toObjectId } from '../ids.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { listDays, toDay } from '../utc-days.ts'

/** What the database records about the file of a recording. */
export interface StoredAudio {
  id: string
  extension: string
  sizeBytes: number
  /** As uploaded. */
  sha256: string
}

/** Documents that one command reads within its limit of 3 s. */
const batchSize = 500
const hasFile = { $or: [{ deletedAt: null }, { purgeAt: { $exists: true } }] }

/** Yields every recording that must have a file, including the trash. */
export async function* listStoredAudio(connection: DatabaseConnection): AsyncGenerator<StoredAudio> {
  const fields = { extension: 1, sizeBytes: 1, sha256: 1 }
  for await (const { _id, extension, sizeBytes, sha256 } of recordingModel(connection)
    .find(hasFile, fields)
    .lean()
    .cursor({ batchSize }))
    yield { id: _id.toHexString(), extension, sizeBytes, sha256 }
}

/** Returns the database's record of one recording's file; undefined where there is none, or it was permanently deleted. */
export async function findStoredAudio(
  connection: DatabaseConnection,
  id: string,
): Promise<(StoredAudio & AuditedRecording) | undefined> {
  if (!isObjectId(id)) return undefined
  const fields = { extension: 1, sizeBytes: 1, sha256: 1, ownerId: 1, createdAt: 1 }
  const found = await recordingModel(connection)
    .findOne({ _id: toObjectId(id), ...hasFile }, fields)
    .lean()
  if (!found) return undefined
  const { _id, ownerId, extension, sizeBytes, sha256, createdAt } = found
  return { id: _id.toHexString(), ownerId: ownerId.toHexString(), extension, sizeBytes, sha256, createdAt }
}

/** Returns how many bytes of recordings were added since a time. Deleted recordings do not count. */
export async function sumAudioSince(connection: DatabaseConnection, since: Date): Promise<number> {
  const [sum] = await recordingModel(connection).aggregate<{ bytes: number }>([
    { $match: { deletedAt: null, createdAt: { $gte: since } } },
    { $group: { _id: null, bytes: { $sum: '$sizeBytes' } } },
  ])
  return sum?.bytes ?? 0
}

/**
 * Returns how many bytes of recordings were added on each of the last days (UTC), oldest first. Deleted recordings do not count. The last
 * day is that of `now`.
 */
export async function listAddedByDay(
  connection: DatabaseConnection,
  { now, shownDays }: { now: Date; shownDays: number },
): Promise<{ day: string; bytes: number }[]> {
  const days = listDays({ now, shownDays })
  const bytes = new Map(days.map((day) => [day, 0]))
  const since = new Date(`${days[0]}T00:00:00Z`)
  for await (const { createdAt, sizeBytes } of recordingModel(connection)
    .find({ deletedAt: null, createdAt: { $gte: since } }, { createdAt: 1, sizeBytes: 1 })
    .lean()
    .cursor({ batchSize })) {
    const day = toDay(createdAt)
    bytes.set(day, (bytes.get(day) ?? 0) + sizeBytes)
  }
  return days.map((day) => ({ day, bytes: bytes.get(day) ?? 0 }))
}
