import { Schema, type Connection, type Model } from 'mongoose'
import { modelOf } from '../model.ts'

/** The models that an engine knows. Stored separately from its heartbeat, which is written every few seconds and read with every page. */
export interface ModelListDocument {
  /** Id of the engine. */
  _id: string
  /** Parsed by Model. */
  models: unknown
  /** Problems of the catalogs; missing where an engine of an older version published the list. */
  problems?: string[]
  publishedAt: Date
}

const schema = new Schema<ModelListDocument>(
  {
    _id: { type: String, required: true },
    models: { type: Schema.Types.Mixed, required: true },
    problems: [String],
    publishedAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false, minimize: false },
)
// Engines publish every hour, so an older list is from a dead engine.
schema.index({ publishedAt: 1 }, { expireAfterSeconds: 24 * 3600 })

export function modelListModel(connection: Connection): Model<ModelListDocument> {
  return modelOf<ModelListDocument>(connection, 'ModelList', schema, 'model_lists')
}
