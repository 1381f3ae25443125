import { BSON } from 'mongodb'
import { z } from 'zod'

const StoredRecording = z.object({
  _id: z.instanceof(BSON.ObjectId),
  extension: z.string().regex(/^[a-z0-9]+$/),
  sizeBytes: z.number(),
  sha256: z.string(),
  deletedAt: z.date().nullish(),
  purgeAt: z.date().nullish(),
})

/** A recording whose audio belongs to a backup. */
export interface RecordingAudio {
  id: string
  extension: string
  sizeBytes: number
  /** As uploaded. */
  sha256: string
}

/** Reads the audio fields of a document in `recordings`; undefined if it was deleted for good. One in the trash still has its audio. */
export function readRecordingAudio(document: Uint8Array): RecordingAudio | undefined {
  const { _id, deletedAt, purgeAt, ...audio } = StoredRecording.parse(BSON.deserialize(document))
  if (deletedAt && !purgeAt) return undefined
  return { id: _id.toHexString(), ...audio }
}
