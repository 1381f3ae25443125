import { Schema, type Connection } from 'mongoose'
import { modelOf } from '../model.ts'

/** Facts about this database, and short-lived locks between servers, by name. */
export interface SystemFactDocument {
  _id: string
  value: string
  until: Date | null
}

const schema = new Schema<SystemFactDocument>(
  {
    _id: { type: String, required: true },
    value: { type: String, required: true },
    until: { type: Date, default: null },
  },
  { versionKey: false },
)

export function systemFactModel(connection: Connection) {
  return modelOf<SystemFactDocument>(connection, 'SystemFact', schema, 'system_facts')
}
