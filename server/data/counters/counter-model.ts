import { Schema, type Connection, type Model } from 'mongoose'
import { modelOf } from '../model.ts'

/** A number that only grows, by its name and its labels. */
export interface CounterDocument {
  /** Name and labels, in the order of the labels' names. */
  _id: string
  name: string
  labels: Record<string, string>
  value: number
}

const schema = new Schema<CounterDocument>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    labels: { type: Schema.Types.Mixed, required: true },
    value: { type: Number, required: true },
  },
  { versionKey: false, autoIndex: false, minimize: false },
)

/** The counters of one database connection. */
export function counterModel(connection: Connection): Model<CounterDocument> {
  return modelOf<CounterDocument>(connection, 'Counter', schema, 'counters')
}
