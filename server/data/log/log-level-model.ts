import { Schema, type Connection, type Model } from 'mongoose'
import { modelOf } from '../model.ts'
import type { LogLevel } from './log-settings.ts'

/** What one process reports about its log. */
export interface LogLevelAnswer {
  service: 'server' | 'engine'
  host: string
  pid: number
  level: LogLevel
  /** When it returns to its usual level, LOG_LEVEL; null while it logs at that level. */
  endsAt: Date | null
}

/** The only document: the level last requested for all processes, and their answers. */
export interface LogLevelDocument {
  _id: string
  /** Differs with every change of the level; null before the first. */
  changeId: string | null
  /** Null for the usual level of each process. */
  level: LogLevel | null
  /** By the clock of the database. */
  until: Date | null
  /** Differs with every request; processes answer the last one. */
  requestId: string
  answers: LogLevelAnswer[]
}

const schema = new Schema<LogLevelDocument>(
  {
    _id: { type: String, required: true },
    changeId: { type: String, default: null },
    level: { type: String, default: null },
    until: { type: Date, default: null },
    requestId: { type: String, required: true },
    answers: { type: Schema.Types.Mixed, default: [] },
  },
  { versionKey: false, autoIndex: false },
)

export function logLevelModel(connection: Connection): Model<LogLevelDocument> {
  return modelOf<LogLevelDocument>(connection, 'LogLevel', schema, 'log_levels')
}
