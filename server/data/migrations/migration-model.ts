import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** How far a migration is in this database. */
export interface MigrationDocument {
  /** Its name. */
  _id: string
  /** The last document that it has passed; null before the first. */
  position: Types.ObjectId | null
  /** Documents that it has passed. */
  passed: number
  /** Documents in its collection when it began. */
  total: number
  startedAt: Date
  finishedAt: Date | null
}

const schema = new Schema<MigrationDocument>(
  {
    _id: { type: String, required: true },
    position: { type: Schema.Types.ObjectId, default: null },
    passed: { type: Number, required: true },
    total: { type: Number, required: true },
    startedAt: { type: Date, required: true },
    finishedAt: { type: Date, default: null },
  },
  { versionKey: false, autoIndex: false },
)

export function migrationModel(connection: Connection): Model<MigrationDocument> {
  return modelOf<MigrationDocument>(connection, 'Migration', schema, 'migrations')
}
