import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { maxReportTemplates, ReportTemplateInput, type ReportTemplate } from '#contract/report-templates.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey, modelOf } from '../model.ts'
import { insertInSlot, addSlots, type SlottedDocument } from '../slots.ts'

interface ReportTemplateDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  name: string
  /** Parsed by ReportTemplateInput, which includes the name. */
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

/** Returns the report templates of an owner by name, excluding any that this version cannot read. */
export async function listReportTemplates(connection: DatabaseConnection, ownerId: string): Promise<ReportTemplate[]> {
  const found = await reportTemplateModel(connection)
    .find({ ownerId: toObjectId(ownerId) })
    .sort({ name: 1 })
    .limit(maxReportTemplates)
    .lean<ReportTemplateDocument[]>()
  return found.flatMap((document) => toReportTemplate(document) ?? [])
}

/** Returns a report template of an owner. Throws `not_found` where there is none. */
export async function requireReportTemplate(
  connection: DatabaseConnection,
  ownerId: string,
  id: string,
): Promise<ReportTemplate> {
  const found = await reportTemplateModel(connection).findOne(toFilter(ownerId, id)).lean<ReportTemplateDocument>()
  const template = found && toReportTemplate(found)
  if (!template) throw notFoundError()
  return template
}

/** Saves a report template, replacing any with the same name. Throws `conflict` where the owner has too many. */
export async function saveReportTemplate(
  connection: DatabaseConnection,
  owner: string,
  content: ReportTemplateInput,
): Promise<ReportTemplate> {
  const ownerId = toObjectId(owner)
  const { name } = content
  const model = reportTemplateModel(connection)
  const limit = { model, scope: { ownerId }, max: maxReportTemplates, fullError: tooManyError }
  for (;;) {
    const replaced = await model.findOneAndUpdate({ ownerId, name }, { $set: { content } }).lean()
    if (replaced) return { ...content, id: replaced._id.toHexString() }
    try {
      const added = await insertInSlot(limit, (slot) => model.create({ ownerId, name, content, slot }))
      return { ...content, id: added._id.toHexString() }
    } catch (error) {
      // Another request has saved a template with this name in the meantime; it is replaced.
      if (!isDuplicateKey(error, 'name')) throw error
    }
  }
}

/** Replaces the content and name of a report template. Throws `not_found`, and `conflict` where another has the name. */
export async function changeReportTemplate(
  connection: DatabaseConnection,
  { ownerId, id }: { ownerId: string; id: string },
  content: ReportTemplateInput,
): Promise<ReportTemplate> {
  try {
    const { matchedCount } = await reportTemplateModel(connection).updateOne(toFilter(ownerId, id), {
      $set: { name: content.name, content },
    })
    if (matchedCount === 0) throw notFoundError()
    return { ...content, id }
  } catch (error) {
    if (isDuplicateKey(error)) throw new AppError('conflict', 'You have a report template of this name already')
    throw error
  }
}

/** Removes a report template. Throws `not_found` where there is none. */
export async function removeReportTemplate(connection: DatabaseConnection, ownerId: string, id: string): Promise<void> {
  const { deletedCount } = await reportTemplateModel(connection).deleteOne(toFilter(ownerId, id))
  if (deletedCount === 0) throw notFoundError()
}

/** Deletes all report templates of an owner, as part of deleting a user. */
export async function removeReportTemplates(connection: DatabaseConnection, ownerId: string): Promise<void> {
  await reportTemplateModel(connection).deleteMany({ ownerId: toObjectId(ownerId) })
}

function toFilter(ownerId: string, id: string) {
  return { _id: toObjectId(id), ownerId: toObjectId(ownerId) }
}

function toReportTemplate({ _id, content }: ReportTemplateDocument): ReportTemplate | null {
  const { data } = ReportTemplateInput.safeParse(content)
  return data ? { ...data, id: _id.toHexString() } : null
}

function notFoundError(): AppError {
  return new AppError('not_found', 'Report template not found')
}

function tooManyError(): AppError {
  return new AppError('conflict', `You can save at most ${maxReportTemplates} report templates`, {
    help: 'Delete one that you no longer need, then try again.',
  })
}

/** The report templates of one database connection. */
export function reportTemplateModel(connection: Connection): Model<ReportTemplateDocument> {
  return modelOf<ReportTemplateDocument>(connection, 'ReportTemplate', schema, 'report_templates')
}
