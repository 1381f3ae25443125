import { createHash } from 'node:crypto'
import { Types } from 'mongoose'
import { z } from 'zod'
import { isDuplicateKey } from '../model.ts'
import { readDatabaseTime } from '../database-time.ts'
import { packJson, toBytes, unpackJson } from './packed-json.ts'
import type { Queue } from './queue.ts'

const SourceSegment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** Where it is not that of its speaker. */
  language: z.string().optional(),
})

/** What is to be translated: a plain text, or the segments of each speaker. */
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

/** Stores what is to be translated, or finds the same content of the same owner. Answers its id. */
export async function saveSource(
  queue: Queue,
  owner: { ownerId: Types.ObjectId; recordingId: Types.ObjectId | null },
  source: TranslationSource,
): Promise<Types.ObjectId> {
  const hash = createHash('sha256')
    .update(JSON.stringify([owner.recordingId, source]))
    .digest('hex')
  const usedAt = await readDatabaseTime(queue.connection)
  const existing = await reuse(queue, { ownerId: owner.ownerId, hash, usedAt })
  if (existing) return existing
  const _id = new Types.ObjectId()
  const data = await packJson(source)
  try {
    await queue.sources.create({ _id, ...owner, hash, data, sizeBytes: data.length, usedAt })
    return _id
  } catch (error) {
    const other = isDuplicateKey(error) ? await reuse(queue, { ownerId: owner.ownerId, hash, usedAt }) : null
    if (other) return other
    throw error
  }
}

/** What is to be translated, or null where the owner has none of that id. */
export async function loadSource(
  queue: Queue,
  ownerId: Types.ObjectId,
  id: Types.ObjectId,
): Promise<TranslationSource | null> {
  const found = await queue.sources.findOne({ _id: id, ownerId }).lean()
  return found && TranslationSource.parse(await unpackJson(toBytes(found.data)))
}

async function reuse(queue: Queue, { ownerId, hash, usedAt }: { ownerId: Types.ObjectId; hash: string; usedAt: Date }) {
  const found = await queue.sources.findOneAndUpdate({ ownerId, hash }, { usedAt }, { projection: { _id: 1 } }).lean()
  return found?._id ?? null
}
