import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { StoredCaseHold, StoredHold } from '../holds/held.ts'
import { modelOf } from '../model.ts'

/** See CorrectionsRecord. */
export interface StoredCorrections {
  transcriptionId: Types.ObjectId
  /** Parsed by SpeakerCorrections. */
  corrections: unknown
}

/** See RestoredVersion. */
export interface StoredRestoredVersion {
  transcriptionId: Types.ObjectId
  newestId: Types.ObjectId
}

/** An uploaded recording: see RecordingRecord. */
export interface RecordingDocument {
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  name: string
  /** File ending without the dot, lower case: part of the stored file's name. */
  extension: string
  sizeBytes: number
  sha256: string
  durationMs: number
  channels: number
  /** Two channels with different sound: two speakers. */
  isStereo: boolean
  /** Heights of the waveform, 0 to 1, one list a channel. */
  peaks: number[][]
  /** What a person corrected of the speakers; null and missing for nothing. */
  speakerCorrections?: StoredCorrections | null
  /** Those of other transcriptions, one each; missing for none. */
  otherSpeakerCorrections?: StoredCorrections[]
  /** How many times they were written; missing for never. */
  speakerCorrectionsVersion?: number
  /** The transcription that is current in place of the newest; null and missing for none. */
  restoredVersion?: StoredRestoredVersion | null
  /** How many times a version was restored; missing for never. */
  restoreCount?: number
  /** Given by the owner; missing for none. */
  tags?: string[]
  createdAt: Date
  version: number
  /** How many of its versions changed only notes and reviewed hits; missing for none. */
  annotationVersion?: number
  /** The number of the last change: see change-counter.ts. */
  change: number
  /** Set when deleted: the emptied document stays until all was removed and a day longer, so that every server notices. */
  deletedAt: Date | null
  /** Until then a deleted recording has all of its content and can be restored: see library/trash.ts. Missing otherwise. */
  purgeAt?: Date
  /** When everything that was stored for a deleted recording had been removed. */
  contentRemovedAt?: Date
  /** The hold of the recording itself; null and missing for none. What is on hold is never deleted, and not in the trash. */
  hold?: StoredHold | null
  /** The holds of its cases; missing for none. */
  caseHolds?: StoredCaseHold[]
  /** Removals of parts of it that have begun: see holds/removals.ts. Missing for none. */
  removals?: { id: Types.ObjectId; until: Date }[]
}

const schema = new Schema<RecordingDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, default: '' },
    extension: { type: String, required: true },
    sizeBytes: { type: Number, required: true },
    sha256: { type: String, required: true },
    durationMs: { type: Number, required: true },
    channels: { type: Number, required: true },
    isStereo: { type: Boolean, required: true },
    peaks: { type: Schema.Types.Mixed, required: true },
    speakerCorrections: { type: Schema.Types.Mixed, default: null },
    otherSpeakerCorrections: { type: Schema.Types.Mixed, default: [] },
    speakerCorrectionsVersion: { type: Number, default: 0 },
    restoredVersion: { type: Schema.Types.Mixed, default: null },
    restoreCount: { type: Number, default: 0 },
    tags: { type: [String], default: [] },
    createdAt: { type: Date, required: true },
    version: { type: Number, required: true },
    annotationVersion: { type: Number, default: 0 },
    change: { type: Number, required: true },
    deletedAt: { type: Date, default: null },
    purgeAt: Date,
    contentRemovedAt: Date,
    hold: { type: Schema.Types.Mixed },
    caseHolds: { type: [Schema.Types.Mixed], default: undefined },
    removals: { type: [Schema.Types.Mixed], default: undefined },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1, deletedAt: 1, createdAt: -1 })
schema.index({ ownerId: 1, sha256: 1 })
schema.index({ change: 1 })
schema.index({ ownerId: 1, change: 1 })
schema.index({ deletedAt: 1, createdAt: 1 })
schema.index({ purgeAt: 1 }, { sparse: true })
schema.index({ 'hold.setAt': 1 }, { sparse: true })
schema.index({ 'caseHolds.caseId': 1 }, { sparse: true })
schema.index({ contentRemovedAt: 1 }, { expireAfterSeconds: 24 * 3600 })

/** The recordings of one database connection. */
export function recordingModel(connection: Connection): Model<RecordingDocument> {
  return modelOf<RecordingDocument>(connection, 'Recording', schema, 'recordings')
}
