import { createHash } from 'node:crypto'
import { Types } from 'mongoose'
import { z } from 'zod'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey } from '../model.ts'
import { packJson, toBytes, unpackJson } from './packed-json.ts'
import type { Queue } from './queue.ts'
import { sourceModel } from './source-model.ts'

const SourceSegment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** Set if it differs from the language of the speaker. */
  language: z.string().optional(),
})

/** What must be translated: a plain text, or the segments of each speaker. */
export const TranslationSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({
    kind: z.literal('speakers'),
    speakers: z.array(
      z.object({ speaker: z.string(), language: z.string().nullable(), segments: z.array(SourceSegment) }),
    ),
  }),
])
export type TranslationSource = z.infer<typeof TranslationSource>

/** Stores what must be translated, or reuses the owner's equal source for the same recording. Returns the id. */
export async function saveSource(
  { connection }: Queue,
  owner: { ownerId: string; recordingId: string | null },
  source: TranslationSource,
): Promise<string> {
  const ownerId = toObjectId(owner.ownerId)
  const recordingId = owner.recordingId === null ? null : toObjectId(owner.recordingId)
  const hash = createHash('sha256')
    .update(JSON.stringify([owner.recordingId, source]))
    .digest('hex')
  const usedAt = await readDatabaseTime(connection)
  const existing = await reuse(connection, { ownerId, hash, usedAt })
  if (existing) return existing
  const _id = new Types.ObjectId()
  const data = await packJson(source)
  try {
    await sourceModel(connection).create({ _id, ownerId, recordingId, hash, data, sizeBytes: data.length, usedAt })
    return _id.toHexString()
  } catch (error) {
    const other = isDuplicateKey(error) ? await reuse(connection, { ownerId, hash, usedAt }) : null
    if (other) return other
    throw error
  }
}

/** Returns what must be translated, or null where the owner has none with that id. */
export async function loadSource(
  { connection }: Queue,
  ownerId: string,
  id: string,
): Promise<TranslationSource | null> {
  const found = await sourceModel(connection)
    .findOne({ _id: toObjectId(id), ownerId: toObjectId(ownerId) })
    .lean()
  return found && TranslationSource.parse(await unpackJson(toBytes(found.data)))
}

export async function removeSource({ connection }: Queue, ownerId: string, id: string): Promise<void> {
  await sourceModel(connection).deleteOne({ ownerId: toObjectId(ownerId), _id: toObjectId(id) })
}

async function reuse(
  connection: DatabaseConnection,
  { ownerId, hash, usedAt }: { ownerId: Types.ObjectId; hash: string; usedAt: Date },
): Promise<string | null> {
  const found = await sourceModel(connection)
    .findOneAndUpdate({ ownerId, hash }, { usedAt }, { projection: { _id: 1 } })
    .lean()
  return found?._id.toHexString() ?? null
}
