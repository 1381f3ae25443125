import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { BatchCounts } from '#contract/batches.ts'
import type { LanguageChoice } from '../jobs/work-keys.ts'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

/** `preparing` until all of its recordings are stored: until then it is hidden. */
const storedBatchStates = ['preparing', 'running', 'done', 'cancelled'] as const

/** How a batch transcribes. Absent fields were not requested: see BatchTranscription in the contract. */
interface BatchTranscriptionDocument extends LanguageChoice {
  model?: string
  names?: string[]
  speakerCount?: number
  splitVoices?: boolean[]
}

/** Work requested for many recordings at once: see BatchRecord. */
export interface BatchDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  state: (typeof storedBatchStates)[number]
  /** How its recordings are transcribed; null where nothing is transcribed. */
  transcribe: BatchTranscriptionDocument | null
  targetLanguages: string[]
  redo: boolean
  total: number
  counts: BatchCounts
  /** The number of the last change before it began (see change-counter.ts): work of jobs that finished later counts as its own. */
  since: number
  createdAt: Date
  /** When it last began, or its failures were last retried. */
  startedAt: Date
  /** Null while any of its recordings wait or run, even after it was cancelled. */
  finishedAt: Date | null
  /** Set until the owner has been mailed about its end. */
  notifyOwner?: true
}

const schema = new Schema<BatchDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    state: { type: String, enum: storedBatchStates, required: true },
    transcribe: { type: Schema.Types.Mixed, default: null },
    targetLanguages: { type: [String], default: [] },
    redo: { type: Boolean, required: true },
    total: { type: Number, required: true },
    counts: { type: Schema.Types.Mixed, required: true },
    since: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    startedAt: { type: Date, required: true },
    finishedAt: { type: Date, default: null },
    notifyOwner: Boolean,
    slot: { type: Number },
  },
  { versionKey: false, autoIndex: false, minimize: false },
)
schema.index({ ownerId: 1, createdAt: -1 })
addSlots(schema, ['ownerId'])
schema.index({ finishedAt: 1, createdAt: 1 })
schema.index({ notifyOwner: 1 }, { sparse: true })

/** The batches of one database connection. */
export function batchModel(connection: Connection): Model<BatchDocument> {
  return modelOf<BatchDocument>(connection, 'Batch', schema, 'batches')
}
