import { Schema, type Connection } from 'mongoose'
import { modelOf } from '../model.ts'

/** Counts of one rate limit in one window. */
export interface RateDoc {
  _id: string
  count: number
  expiresAt: Date
}

const rateSchema = new Schema<RateDoc>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
rateSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 60 })

export function rateModel(connection: Connection) {
  return modelOf<RateDoc>(connection, 'Rate', rateSchema, 'rates')
}

/** Facts about this database and short locks between servers, by name. */
export interface SystemFactDoc {
  _id: string
  value: string
  until: Date | null
}

const factSchema = new Schema<SystemFactDoc>(
  {
    _id: { type: String, required: true },
    value: { type: String, required: true },
    until: { type: Date, default: null },
  },
  { versionKey: false },
)

export function systemFactModel(connection: Connection) {
  return modelOf<SystemFactDoc>(connection, 'SystemFact', factSchema, 'system_facts')
}
