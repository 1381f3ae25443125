import { Types, type Connection } from 'mongoose'
import type { ModelRequest } from '#contract/entities/model-operation.ts'
import { isDuplicateKey } from '../model.ts'
import { readDatabaseTime } from '../database-time.ts'
import { modelOperationModel, type ModelOperationDocument } from './model-operation-model.ts'

/** How many operations a list has at most. */
const maxListed = 50

/** Puts an operation into the queue; null where another one works on the same model or import, or waits to. */
export async function enqueueModelOperation(
  connection: Connection,
  { request, requestedBy }: { request: ModelRequest; requestedBy: string },
): Promise<ModelOperationDocument | null> {
  try {
    const created = await modelOperationModel(connection).create({
      _id: new Types.ObjectId(),
      kind: request.kind,
      state: 'queued',
      request,
      activeKey: request.kind === 'import' ? `import:${request.import_name}` : `model:${request.model_id}`,
      requestedBy,
      attempt: 0,
      createdAt: await readDatabaseTime(connection),
    })
    return created.toObject()
  } catch (error) {
    if (isDuplicateKey(error, 'activeKey')) return null
    throw error
  }
}

/** The last operations, newest first. */
export async function listModelOperations(connection: Connection): Promise<ModelOperationDocument[]> {
  return modelOperationModel(connection).find({}).sort({ _id: -1 }).limit(maxListed).lean<ModelOperationDocument[]>()
}

/**
 * Cancels a waiting or running operation; the engine at work notices within about a second. One that has ended stays as it is. Returns
 * the operation as it is then, or null where there is none of that id.
 */
export async function cancelModelOperation(
  connection: Connection,
  id: Types.ObjectId,
): Promise<ModelOperationDocument | null> {
  const operations = modelOperationModel(connection)
  const cancelled = await operations
    .findOneAndUpdate(
      { _id: id, state: { $in: ['queued', 'running'] } },
      [
        { $set: { state: 'cancelled', finishedAt: '$$NOW', leaseId: null, leaseUntil: null, engineId: null } },
        { $unset: 'activeKey' },
      ],
      { returnDocument: 'after', updatePipeline: true },
    )
    .lean<ModelOperationDocument>()
  return cancelled ?? operations.findById(id).lean<ModelOperationDocument>()
}
