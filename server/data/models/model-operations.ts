import type { ModelRequest } from '#contract/entities/model-operation.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId, withId } from '../ids.ts'
import { isDuplicateKey } from '../model.ts'
import { modelOperationModel, type ModelOperationDocument } from './model-operation-model.ts'

/** An operation without the fields that only the database compares. */
export interface ModelOperationRecord extends Omit<ModelOperationDocument, '_id' | 'activeKey' | 'leaseId'> {
  id: string
}

const maxListed = 50

/** Adds an operation to the queue. Returns null where another one is queued or running for the same model or import. */
export async function enqueueModelOperation(
  connection: DatabaseConnection,
  { request, requestedBy }: { request: ModelRequest; requestedBy: string },
): Promise<ModelOperationRecord | null> {
  try {
    const created = await modelOperationModel(connection).create({
      kind: request.kind,
      state: 'queued',
      request,
      activeKey: request.kind === 'import' ? `import:${request.import_name}` : `model:${request.model_id}`,
      requestedBy,
      attempt: 0,
      createdAt: await readDatabaseTime(connection),
    })
    return toModelOperation(created.toObject())
  } catch (error) {
    if (isDuplicateKey(error, 'activeKey')) return null
    throw error
  }
}

export async function findModelOperation(
  connection: DatabaseConnection,
  id: string,
): Promise<ModelOperationRecord | null> {
  const found = await modelOperationModel(connection).findById(toObjectId(id)).lean<ModelOperationDocument>()
  return found && toModelOperation(found)
}

/** Returns the latest operations, newest first. */
export async function listModelOperations(connection: DatabaseConnection): Promise<ModelOperationRecord[]> {
  const found = await modelOperationModel(connection)
    .find({})
    .sort({ _id: -1 })
    .limit(maxListed)
    .lean<ModelOperationDocument[]>()
  return found.map(toModelOperation)
}

/**
 * Cancels a queued or running operation; the engine running it notices within about a second. An ended one stays unchanged.
 * Returns the updated operation, or null where there is none with that id.
 */
export async function cancelModelOperation(
  connection: DatabaseConnection,
  id: string,
): Promise<ModelOperationRecord | null> {
  const cancelled = await modelOperationModel(connection)
    .findOneAndUpdate(
      { _id: toObjectId(id), state: { $in: ['queued', 'running'] } },
      [
        { $set: { state: 'cancelled', finishedAt: '$$NOW', leaseId: null, leaseUntil: null, engineId: null } },
        { $unset: 'activeKey' },
      ],
      { returnDocument: 'after', updatePipeline: true },
    )
    .lean<ModelOperationDocument>()
  return cancelled ? toModelOperation(cancelled) : findModelOperation(connection, id)
}

export function toModelOperation(document: ModelOperationDocument): ModelOperationRecord {
  const { activeKey: _activeKey, leaseId: _leaseId, ...record } = withId(document)
  return record
}
