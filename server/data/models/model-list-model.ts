import { Schema, type Connection, type Model } from 'mongoose'
import { modelOf } from '../model.ts'

/** The models that an engine knows. Apart from its sign of life, which is written every few seconds and read with every page. */
export interface ModelListDocument {
  /** Id of the engine. */
  _id: string
  /** Parsed by Model. */
  models: unknown
  /** What is wrong with the catalogues; missing where an engine of an older version published it. */
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
// Engines publish again every hour; what one that died has left goes by itself.
schema.index({ publishedAt: 1 }, { expireAfterSeconds: 24 * 3600 })

/** The lists of models of one database connection. */
export function modelListModel(connection: Connection): Model<ModelListDocument> {
  return modelOf<ModelListDocument>(connection, 'ModelList', schema, 'model_lists')
}
