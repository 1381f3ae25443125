import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { recordingModel } from './recording-model.ts'

/** Returns the oldest recording of an owner with the same content, except `exceptId`; null where there is none. */
export async function findDuplicate(
  connection: DatabaseConnection,
  ownerId: string,
  sha256: string,
  exceptId?: string,
): Promise<{ id: string; name: string } | null> {
  const found = await recordingModel(connection)
    .findOne(
      {
        ownerId: toObjectId(ownerId),
        sha256,
        deletedAt: null,
        ...(exceptId !== undefined && { _id: { $ne: toObjectId(exceptId) } }),
      },
      { name: 1 },
    )
    .sort({ createdAt: 1 })
    .lean()
  return found && { id: found._id.toHexString(), name: found.name }
}
