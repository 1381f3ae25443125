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
  /** Lowercase file extension without the dot: part of the stored file's name. */
  extension: string
  sizeBytes: number
  sha256: string
  durationMs: number
  channels: number
  /** Whether it has two channels that differ: two speakers. */
  isStereo: boolean
  /** Heights of the waveform, 0 to 1, one list per channel. */
  peaks: number[][]
  /** Corrections of the speakers; null or missing where there are none. */
  speakerCorrections?: StoredCorrections | null
  /** Corrections for other transcriptions, one each; missing where there are none. */
  otherSpeakerCorrections?: StoredCorrections[]
  /** How many times corrections have been written; missing for never. */
  speakerCorrectionsVersion?: number
  /** The transcription that is current instead of the newest; null or missing where there is none. */
  restoredVersion?: StoredRestoredVersion | null
  /** How many times a version has been restored; missing for never. */
  restoreCount?: number
  /** Given by the owner; missing where there are none. */
  tags?: string[]
  createdAt: Date
  version: number
  /** How many of its versions changed only notes and reviewed hits; missing for 0. */
  annotationVersion?: number
  /** The number of the last change: see change-counter.ts. */
  change: number
  /** Set when deleted: the emptied document stays until everything has been removed and a day longer, so that every server notices. */
  deletedAt: Date | null
  /** Until when a deleted recording keeps all of its content and can be restored: see library/trash.ts. Missing otherwise. */
  purgeAt?: Date
  /** When everything stored for a deleted recording had been removed. */
  contentRemovedAt?: Date
  /** The hold on the recording itself; null or missing for none. A recording on hold is never deleted, and never in the trash. */
  hold?: StoredHold | null
  /** The holds of its cases; missing where there are none. */
  caseHolds?: StoredCaseHold[]
  /** Removals of its parts that have begun: see holds/removals.ts. Missing where there are none. */
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
