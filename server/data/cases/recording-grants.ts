import type { MemberRole } from '#contract/cases.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { inChunks } from '../library/in-chunks.ts'
import { caseModel, type CaseDocument } from './case-model.ts'
import { caseRecordingModel, type CaseRecordingDocument } from './case-recording-model.ts'

/** What a user may do with another user's recording. */
export interface RecordingGrant {
  /** The owner of the recording. */
  ownerId: string
  role: MemberRole
}

/** More cases than any user is a member of. */
const maxMemberships = 1_000

/**
 * Returns the most that any of a user's cases allows with a recording; null for nothing. A recording counts as part of a case only while
 * its owner is a member too. How long an outsider waits depends only on the outsider's cases, so timing does not reveal whether the
 * recording exists.
 */
export async function findGrant(
  connection: DatabaseConnection,
  user: string,
  recordingId: string,
): Promise<RecordingGrant | null> {
  const userId = toObjectId(user)
  const cases = caseModel(connection)
  const memberships = await cases
    .find({ 'members.userId': userId }, { members: { $elemMatch: { userId } } })
    .limit(maxMemberships)
    .lean<Pick<CaseDocument, '_id' | 'members'>[]>()
  if (memberships.length === 0) return null
  const [first, ...rest] = await caseRecordingModel(connection)
    .find({ recordingId: toObjectId(recordingId), caseId: { $in: memberships.map(({ _id }) => _id) } })
    .lean<CaseRecordingDocument[]>()
  if (!first) return null
  const { ownerId } = first
  const valid = await cases
    .find({ _id: { $in: [first, ...rest].map(({ caseId }) => caseId) }, 'members.userId': ownerId }, { _id: 1 })
    .lean<Pick<CaseDocument, '_id'>[]>()
  const validIds = new Set(valid.map(({ _id }) => _id.toHexString()))
  const roles = memberships.filter(({ _id }) => validIds.has(_id.toHexString())).map(({ members }) => members[0]?.role)
  if (roles.length === 0) return null
  return { ownerId: ownerId.toHexString(), role: roles.every((role) => role === 'view') ? 'view' : 'edit' }
}

/** Returns who can read recordings as a case member, excluding their owners: user ids by recording id. */
export async function listReaders(
  connection: DatabaseConnection,
  recordingIds: string[],
): Promise<Map<string, Set<string>>> {
  const readers = new Map<string, Set<string>>()
  await inChunks(recordingIds, (chunk) => addReaders(connection, chunk, readers))
  return readers
}

async function addReaders(
  connection: DatabaseConnection,
  recordingIds: string[],
  readers: Map<string, Set<string>>,
): Promise<void> {
  const rows = await caseRecordingModel(connection)
    .find({ recordingId: { $in: recordingIds.map(toObjectId) } }, { recordingId: 1, caseId: 1, ownerId: 1 })
    .lean<CaseRecordingDocument[]>()
  if (rows.length === 0) return
  const found = await caseModel(connection)
    .find({ _id: { $in: rows.map(({ caseId }) => caseId) } }, { members: 1 })
    .lean<Pick<CaseDocument, '_id' | 'members'>[]>()
  const membersOf = new Map(
    found.map(({ _id, members }) => [_id.toHexString(), members.map(({ userId }) => userId.toHexString())]),
  )
  for (const { recordingId, caseId, ownerId } of rows) {
    const members = membersOf.get(caseId.toHexString()) ?? []
    const owner = ownerId.toHexString()
    if (!members.includes(owner)) continue
    const own = readers.get(recordingId.toHexString()) ?? new Set()
    for (const id of members) if (id !== owner) own.add(id)
    readers.set(recordingId.toHexString(), own)
  }
}
