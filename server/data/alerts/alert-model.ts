import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { AlertState } from '#contract/alerts.ts'
import type { KeywordCategory } from '#contract/keywords/keywords.ts'
import { modelOf } from '../model.ts'

/** A hit of a watch list in a recording. Ids ascend from a recording's last hit to its first, because lists show the newest id first. */
export interface AlertDocument {
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  watchListId: Types.ObjectId
  recordingId: Types.ObjectId
  /** Identifies the hit among the hits of its watch list in the recording. */
  key: string
  /** The finished job that raised it; null for a scan of the library. */
  jobId: Types.ObjectId | null
  timeMs: number
  /** The channel, where the two channels are separate speakers; null otherwise. */
  side: number | null
  speaker: string | null
  language: string | null
  word: string
  /** Null for a word that the user entered in the watch list. */
  category: KeywordCategory | null
  isSimilar: boolean
  isTranslation: boolean
  sentence: string
  /** Where the hit is in the sentence. */
  markStart: number
  markEnd: number
  state: AlertState
  /** The state that undoing the change `changeId` restores. */
  previousState?: AlertState
  changeId?: Types.ObjectId
  /** Whether the text no longer contains it. */
  isGone: boolean
  /** Whether its recording is in the trash. */
  isHidden: boolean
  /** Whether a mail has yet to count it. */
  isDigestDue: boolean
  /** The mail that counted it. */
  digestId?: Types.ObjectId
  createdAt: Date
  expiresAt: Date
}

const schema = new Schema<AlertDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    watchListId: { type: Schema.Types.ObjectId, required: true },
    recordingId: { type: Schema.Types.ObjectId, required: true },
    key: { type: String, required: true },
    jobId: { type: Schema.Types.ObjectId, default: null },
    timeMs: { type: Number, required: true },
    side: { type: Number, default: null },
    speaker: { type: String, default: null },
    language: { type: String, default: null },
    word: { type: String, required: true },
    category: { type: String, default: null },
    isSimilar: { type: Boolean, required: true },
    isTranslation: { type: Boolean, required: true },
    sentence: { type: String, required: true },
    markStart: { type: Number, required: true },
    markEnd: { type: Number, required: true },
    state: { type: String, required: true },
    previousState: { type: String },
    changeId: { type: Schema.Types.ObjectId },
    isGone: { type: Boolean, required: true },
    isHidden: { type: Boolean, required: true },
    isDigestDue: { type: Boolean, required: true },
    digestId: { type: Schema.Types.ObjectId },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1, recordingId: 1, watchListId: 1, key: 1 }, { unique: true })
schema.index({ ownerId: 1, recordingId: 1, isHidden: 1 })
schema.index({ ownerId: 1, isHidden: 1, isGone: 1, state: 1, _id: -1 })
schema.index({ ownerId: 1, watchListId: 1, state: 1, _id: -1 })
schema.index({ ownerId: 1, isHidden: 1, _id: -1 })
schema.index({ ownerId: 1, isDigestDue: 1 })
schema.index({ changeId: 1 }, { sparse: true })
schema.index({ digestId: 1 }, { sparse: true })
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

/** The alerts of one database connection. */
export function alertModel(connection: Connection): Model<AlertDocument> {
  return modelOf<AlertDocument>(connection, 'Alert', schema, 'alerts')
}
