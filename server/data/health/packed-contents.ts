import type { Model, Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { jobModel } from '../jobs/job-model.ts'
import { toBytes, unpackJson } from '../jobs/packed-json.ts'
import { sourceModel } from '../jobs/source-model.ts'
import { lineEditsModel } from '../line-edits/line-edits.ts'

/** A text that is stored compressed, and so has a checksum. */
export interface PackedContent {
  kind: 'result' | 'edits' | 'source'
  id: string
}

/** Documents that one command reads within its limit of 3 s: each may be megabytes. */
const batchSize = 50

interface PackedPlace {
  model: Model<{ _id: Types.ObjectId }>
  field: string
}

/** Lists results of jobs, edits of transcripts, and texts sent for translation. */
export async function listPackedContents(connection: DatabaseConnection): Promise<PackedContent[]> {
  const found: PackedContent[] = []
  for (const kind of ['result', 'edits', 'source'] as const) {
    const { model, field } = placeOf(connection, kind)
    for await (const { _id } of model
      .find({ [field]: { $ne: null } }, { _id: 1 })
      .lean()
      .cursor({ batchSize }))
      found.push({ kind, id: String(_id) })
  }
  return found
}

/** Returns whether a text's checksum still matches; true where it was deleted in the meantime. */
export async function isWhole(connection: DatabaseConnection, { kind, id }: PackedContent): Promise<boolean> {
  const { model, field } = placeOf(connection, kind)
  const found = await model.findById(id, { [field]: 1 }).lean<Record<string, Uint8Array | null> | null>()
  const stored = found?.[field]
  if (!stored) return true
  return unpackJson(toBytes(stored)).then(
    () => true,
    () => false,
  )
}

function placeOf(connection: DatabaseConnection, kind: PackedContent['kind']): PackedPlace {
  const places = { result: jobModel, edits: lineEditsModel, source: sourceModel }
  const model: unknown = places[kind](connection)
  // Only ids and the packed field are read, which have the same types in all three models.
  return { model: model as PackedPlace['model'], field: kind === 'result' ? 'result' : 'data' }
}
