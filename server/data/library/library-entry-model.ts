import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { HitCounts } from '#contract/library.ts'
import { modelOf } from '../model.ts'

/**
 * What a list of recordings is sorted and filtered by. It is written with its recording where a user acts, and repaired by the engine that
 * follows changes; what a list shows of a recording is read from recordings and jobs.
 */
export interface LibraryEntryDocument {
  /** The recording's. */
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  /** No list shows the recording: it can be restored, or it was deleted. */
  isRemoved: boolean
  /** The name as searches compare it: see foldKeyword. */
  foldedName: string
  /** The name as lists are sorted by it: folded, with numbers in order of their values. */
  sortName: string
  createdAt: Date
  durationMs: number
  /** See stateRanks. */
  state: number
  /** Spoken in the current transcription. */
  languages: string[]
  tags: string[]
  hits: HitCounts
  /** The shares of its lines that its owner heard, and that were verified: see `updateReviewShares`. Default 0. */
  heard?: number
  verified?: number
  /** The text and the keywords that `hits` were counted with; empty before they were. */
  countedText: string
  countedKeywords: string
  /** Keywords that the hits could not be counted with, as where a result is damaged: a check does not have that tried again. */
  uncountableKeywords?: string
  /** The recording's when this was written: an older state never replaces a newer one. */
  version: number
  /**
   * The version of the recording up to which everything is derived from it, elsewhere too; missing where that is unknown. What changes nothing
   * but the entry moves it on with the entry, and the engine has nothing to do.
   */
  derivedVersion?: number
  /** Grows with every write, so that a reader of changes recognizes what it has seen. */
  revision: number
  /** The number of the last change (see change-counter.ts), by which readers find what was written. */
  change: number
  /** When the recording was deleted for good: the emptied entry stays for a day, so that every server notices. */
  deletedAt?: Date
}

const schema = new Schema<LibraryEntryDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    isRemoved: { type: Boolean, required: true },
    foldedName: { type: String, default: '' },
    sortName: { type: String, default: '' },
    createdAt: { type: Date, required: true },
    durationMs: { type: Number, required: true },
    state: { type: Number, required: true },
    languages: { type: [String], default: [] },
    tags: { type: [String], default: [] },
    hits: { type: Schema.Types.Mixed, required: true },
    heard: Number,
    verified: Number,
    countedText: { type: String, default: '' },
    countedKeywords: { type: String, default: '' },
    uncountableKeywords: String,
    version: { type: Number, required: true },
    derivedVersion: Number,
    revision: { type: Number, required: true },
    change: { type: Number, required: true },
    deletedAt: Date,
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1, _id: 1 })
schema.index({ ownerId: 1, change: 1 })
schema.index({ deletedAt: 1 }, { expireAfterSeconds: 24 * 3600 })

/** The library entries of one database connection. */
export function libraryEntryModel(connection: Connection): Model<LibraryEntryDocument> {
  return modelOf<LibraryEntryDocument>(connection, 'LibraryEntry', schema, 'library_entries')
}
