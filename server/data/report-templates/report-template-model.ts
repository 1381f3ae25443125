import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

export interface ReportTemplateDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  name: string
  /** Parsed by ReportTemplateInput, which has the name too. */
  content: unknown
}

const schema = new Schema<ReportTemplateDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    content: { type: Schema.Types.Mixed, required: true },
    slot: { type: Number },
  },
  { versionKey: false, autoIndex: false, minimize: false },
)
schema.index({ ownerId: 1, name: 1 }, { unique: true })
addSlots(schema, ['ownerId'])

/** The report templates of one database connection. */
export function reportTemplateModel(connection: Connection): Model<ReportTemplateDocument> {
  return modelOf<ReportTemplateDocument>(connection, 'ReportTemplate', schema, 'report_templates')
}
