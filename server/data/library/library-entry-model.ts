import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { HitCounts } from '#contract/library.ts'
import { modelOf } from '../model.ts'

/**
 * The fields by which a list of recordings is sorted and filtered. Written with the recording when a user acts, and repaired by the engine
 * that follows changes; what a list shows of a recording is read from recordings and jobs.
 */
export interface LibraryEntryDocument {
  /** The recording's id. */
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  /** Whether the recording is hidden from lists: it is in the trash, or was permanently deleted. */
  isRemoved: boolean
  /** The name in the form that searches compare: see foldKeyword. */
  foldedName: string
  /** The name in the form that lists sort by: folded, with numbers ordered by value. */
  sortName: string
  createdAt: Date
  durationMs: number
  /** See stateRanks. */
  state: number
  /** Languages spoken in the current transcription. */
  languages: string[]
  tags: string[]
  hits: HitCounts
  /** The shares of its lines that its owner has heard, and that have been verified: see `updateReviewShares`. Default 0. */
  heard?: number
  verified?: number
  /** The text and the keywords that `hits` were counted with; empty until they have been counted. */
  countedText: string
  countedKeywords: string
  /** Keywords for which hits could not be counted, for instance because a result is damaged: a check does not request a retry. */
  uncountableKeywords?: string
  /** The recording's version when this was written: an older state never replaces a newer one. */
  version: number
  /**
   * The version of the recording up to which everything has been derived from it, elsewhere too; missing where unknown. A change to only
   * what the entry shows advances it with the entry, and leaves the engine nothing to do.
   */
  derivedVersion?: number
  /** Grows with every write, so that a reader of changes recognizes what it has seen. */
  revision: number
  /** The number of the last change (see change-counter.ts), by which readers find what has been written. */
  change: number
  /** When the recording was permanently deleted: the emptied entry stays for a day, so that every server notices. */
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
