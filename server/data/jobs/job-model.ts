import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { jobKinds, jobStates, type JobKind, type JobState } from '#contract/entities/job.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { modelOf } from '../model.ts'
import type { BegunAttempt, EndedAttempts } from './attempts.ts'

/**
 * One piece of engine work and, once done, its result: state and result change in one write, so a result is never seen twice or
 * without its job. Times are the database's.
 */
export interface JobDocument {
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  recordingId: Types.ObjectId | null
  /** The batch that it belongs to; missing for a job requested individually. */
  batchId?: Types.ObjectId
  kind: JobKind
  state: JobState
  /** Parsed by JobParams. */
  params: unknown
  /** Identifies equal work of one owner by owner, kind, source and choices, so that a repeated request joins it or gets its result. */
  workKey: string
  /** `workKey` while queued or running, absent afterwards: a unique index allows only one such job. */
  activeKey?: string
  /** Set until the owner has been mailed about its end: see claim-ended.ts. */
  notifyOwner?: true
  /** Set while the recording is removed but can be restored: no engine starts the job. Missing otherwise. */
  isHeld?: true
  /** Fair order between users: see enqueue.ts. */
  rank: number
  /** Attempts started; a draining engine returns its attempt. */
  attempt: number
  /** Missing before the first attempt, and in jobs of earlier versions. */
  attemptBegan?: BegunAttempt
  /** Missing until an attempt has ended, and in jobs of earlier versions. */
  attempts?: EndedAttempts
  leaseId: Types.ObjectId | null
  leaseUntil: Date | null
  engineId: string | null
  /** How many jobs whose model was loaded have overtaken it: see claim.ts. Missing while none have. */
  passedOver?: number
  /** Parsed by ProgressHead. */
  progress: unknown
  /** How much of the text is in the collection of changes so far; null before there is any and after the job ended. */
  text: StoredTextPosition | null
  error: ErrorBody | null
  /** The result as packed JSON; read only where needed. */
  result: Uint8Array | null
  /** Summary of a transcription; parsed by TranscriptionSummary. Missing for other jobs, and where the result could not be read. */
  summary?: unknown
  /** Possible hits of a transcription; parsed by PossibleHit. Missing where near-misses were not searched for keywords. */
  possibleHits?: unknown
  /** Spoken and written languages, for lists and statistics. */
  languages: string[]
  targetLanguage: string | null
  /** Grows with every write, so that a reader of changes recognizes what it has seen. */
  version: number
  /** The number of the last change (see change-counter.ts), by which readers find what has been written. */
  change: number
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

/** Which text a job shows and how many changes it has: see progress-model.ts. */
export interface StoredTextPosition {
  id: Types.ObjectId
  sequence: number
}

const schema = new Schema<JobDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    recordingId: { type: Schema.Types.ObjectId, default: null },
    batchId: Schema.Types.ObjectId,
    kind: { type: String, enum: jobKinds, required: true },
    state: { type: String, enum: jobStates, required: true },
    params: { type: Schema.Types.Mixed, required: true },
    workKey: { type: String, required: true },
    activeKey: String,
    notifyOwner: Boolean,
    isHeld: Boolean,
    rank: { type: Number, required: true },
    attempt: { type: Number, required: true },
    attemptBegan: Schema.Types.Mixed,
    attempts: Schema.Types.Mixed,
    leaseId: { type: Schema.Types.ObjectId, default: null },
    leaseUntil: { type: Date, default: null },
    engineId: { type: String, default: null },
    passedOver: Number,
    progress: { type: Schema.Types.Mixed, default: null },
    text: { type: Schema.Types.Mixed, default: null },
    error: { type: Schema.Types.Mixed, default: null },
    result: { type: Schema.Types.Buffer, default: null },
    summary: Schema.Types.Mixed,
    possibleHits: Schema.Types.Mixed,
    languages: { type: [String], default: [] },
    targetLanguage: { type: String, default: null },
    version: { type: Number, required: true },
    change: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    startedAt: { type: Date, default: null },
    finishedAt: { type: Date, default: null },
  },
  { versionKey: false, autoIndex: false, minimize: false },
)
schema.index({ activeKey: 1 }, { unique: true, sparse: true })
schema.index({ notifyOwner: 1, state: 1 }, { sparse: true })
schema.index({ state: 1, rank: 1, _id: 1 })
schema.index({ state: 1, leaseUntil: 1 })
schema.index({ change: 1 })
schema.index({ rank: -1, startedAt: 1 })
schema.index({ recordingId: 1, finishedAt: 1 })
schema.index({ ownerId: 1, rank: -1 })
schema.index({ ownerId: 1, workKey: 1, finishedAt: -1 })
schema.index({ ownerId: 1, recordingId: 1, finishedAt: -1 })
schema.index({ ownerId: 1, state: 1 })
schema.index({ ownerId: 1, finishedAt: -1 })

/** The jobs of one database connection. */
export function jobModel(connection: Connection): Model<JobDocument> {
  return modelOf<JobDocument>(connection, 'Job', schema, 'jobs')
}
