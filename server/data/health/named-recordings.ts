import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { recordingModel, type RecordingDocument } from '../recordings/recording-model.ts'
import { findPeople } from '../users/people.ts'

/** A recording as people search for it. */
export interface NamedRecording {
  id: string
  /** Content: administrators do not see it unless they may read the recording (docs/decisions/recording-trail.md). */
  name: string
  /** E-mail address. */
  owner: string
  uploadedAt: Date
}

/** Returns the names and owners of recordings, including the trash, in the order of their ids. Deleted recordings are left out. */
export async function findNamedRecordings(
  connection: DatabaseConnection,
  ids: readonly string[],
): Promise<NamedRecording[]> {
  const found = await recordingModel(connection)
    .find({ _id: { $in: ids.map(toObjectId) } }, { name: 1, ownerId: 1, createdAt: 1 })
    .sort({ _id: 1 })
    .lean<Pick<RecordingDocument, '_id' | 'name' | 'ownerId' | 'createdAt'>[]>()
  const owners = await findPeople(
    connection,
    found.map(({ ownerId }) => ownerId.toHexString()),
  )
  return found.map(({ _id, name, ownerId, createdAt }) => {
    const owner = owners.get(ownerId.toHexString())?.email ?? `user ${ownerId.toHexString()}`
    return { id: _id.toHexString(), name, owner, uploadedAt: createdAt }
  })
}
