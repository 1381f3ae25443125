import { Schema, type Connection, type Model } from 'mongoose'
import { modelOf } from '../model.ts'

/** A running engine. It writes `beatAt` every few seconds, or on request while it rests, and deletes the document when it exits. */
export interface EngineDocument {
  _id: string
  host: string
  /** The processes among which `pid` is unique: see engines.ts. Missing for engines of older versions. */
  processSpace?: string
  pid: number
  /** Parsed by EngineFeatures. */
  features: unknown
  /** Parsed by EngineStatus; missing for engines of older versions. */
  status?: unknown
  startedAt: Date
  beatAt: Date
  /** Whether it records heartbeats only on request: see liveness.ts. */
  isResting?: boolean
  /** The number of the last roll call it has seen. */
  rollCall?: number
}

const schema = new Schema<EngineDocument>(
  {
    _id: { type: String, required: true },
    host: { type: String, required: true },
    processSpace: String,
    pid: { type: Number, required: true },
    features: { type: Schema.Types.Mixed, required: true },
    status: { type: Schema.Types.Mixed, default: null },
    startedAt: { type: Date, required: true },
    beatAt: { type: Date, required: true },
    isResting: Boolean,
    rollCall: Number,
  },
  { versionKey: false, autoIndex: false, minimize: false },
)
schema.index({ beatAt: -1 })
schema.index({ host: 1 })

/** The engines of one database connection. */
export function engineModel(connection: Connection): Model<EngineDocument> {
  return modelOf<EngineDocument>(connection, 'Engine', schema, 'engines')
}
