import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { WatchedTexts } from '#contract/alerts.ts'
import type { KeywordCategory } from '#contract/keywords/keywords.ts'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

/** What a user wants to be notified about: see WatchListInput. */
export interface WatchListDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  name: string
  categories: KeywordCategory[]
  words: string[]
  texts: WatchedTexts
  threshold: number
  tags: string[]
  isOn: boolean
  /** When it was added or last switched on: jobs that finished earlier raise no alerts. */
  activeSince: Date
  createdAt: Date
  scan: WatchListScanDocument | null
}

/** A scan of the owner's library for one watch list. */
export interface WatchListScanDocument {
  state: 'running' | 'done' | 'cancelled'
  startedAt: Date
  /** The recording scanned last; recordings are scanned in the order of their ids. */
  afterId: Types.ObjectId | null
  done: number
  total: number
  raised: number
}

const schema = new Schema<WatchListDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    categories: { type: [String], required: true },
    words: { type: [String], required: true },
    texts: { type: String, required: true },
    threshold: { type: Number, required: true },
    tags: { type: [String], required: true },
    isOn: { type: Boolean, required: true },
    activeSince: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    scan: { type: Schema.Types.Mixed, default: null },
    slot: { type: Number },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1, name: 1 }, { unique: true })
addSlots(schema, ['ownerId'])
schema.index({ 'scan.state': 1, 'scan.startedAt': 1 })

/** The watch lists of one database connection. */
export function watchListModel(connection: Connection): Model<WatchListDocument> {
  return modelOf<WatchListDocument>(connection, 'WatchList', schema, 'watch_lists')
}
