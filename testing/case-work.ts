import { caseModel } from '#data/cases/case-model.ts'
import { caseRecordingModel } from '#data/cases/case-recording-model.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { newId, toObjectId } from '#data/ids.ts'

const rowsPerInsert = 500

/** Stores cases of an owner. */
export async function fillWithCases(connection: DatabaseConnection, owner: string, count: number): Promise<void> {
  const now = new Date()
  const ownerId = toObjectId(owner)
  const one = {
    ownerId,
    name: 'Filler',
    colour: 'teal' as const,
    notes: '',
    members: [{ userId: ownerId, role: 'owner' as const, addedAt: now }],
    createdAt: now,
    updatedAt: now,
  }
  await caseModel(connection).insertMany(Array.from({ length: count }, () => ({ ...one, revision: 1 })))
}

/** Adds nonexistent recordings to a case. */
export async function fillCase(connection: DatabaseConnection, caseId: string, count: number): Promise<void> {
  const row = { caseId: toObjectId(caseId), ownerId: toObjectId(newId()), addedAt: new Date() }
  // In batches, because the connection limits each command to three seconds.
  for (let from = 0; from < count; from += rowsPerInsert) {
    const length = Math.min(rowsPerInsert, count - from)
    const rows = Array.from({ length }, () => ({ ...row, recordingId: toObjectId(newId()) }))
    await caseRecordingModel(connection).collection.insertMany(rows)
  }
}

/** Adds nonexistent users to a case as members. */
export async function fillWithMembers(connection: DatabaseConnection, caseId: string, count: number): Promise<void> {
  const members = Array.from({ length: count }, () => ({
    userId: toObjectId(newId()),
    role: 'view' as const,
    addedAt: new Date(),
  }))
  await caseModel(connection).updateOne({ _id: toObjectId(caseId) }, { $push: { members: { $each: members } } })
}
