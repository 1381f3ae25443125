import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { caseModel, type CaseDocument, type StoredInvitee, type StoredMember } from './case-model.ts'
import { toCaseRecord, type CaseRecord } from './case-record.ts'

/** People who can read a case, and those who will once they have an account. */
export interface MemberLists {
  members: StoredMember[]
  invitees: StoredInvitee[]
}

/**
 * Writes both lists returned by `change` at once, and calls it again if they were changed in the meantime. Writes nothing where it
 * returns the lists it was given. Returns null where there is no such case.
 */
export async function changeMembers(
  connection: DatabaseConnection,
  caseId: string,
  change: (lists: MemberLists) => MemberLists,
): Promise<CaseRecord | null> {
  const cases = caseModel(connection)
  const _id = toObjectId(caseId)
  for (;;) {
    const found = await cases.findOne({ _id }).lean<CaseDocument>()
    if (!found) return null
    const before = { members: found.members, invitees: found.invitees ?? [] }
    const lists = change(before)
    if (lists === before) return toCaseRecord(found)
    const updatedAt = await readDatabaseTime(connection)
    const update = {
      $set: { members: lists.members, updatedAt, ...(lists.invitees.length > 0 && { invitees: lists.invitees }) },
      ...(lists.invitees.length === 0 && { $unset: { invitees: 1 } }),
      $inc: { revision: 1 },
    }
    const changed = await cases
      .findOneAndUpdate({ _id, revision: found.revision }, update, { returnDocument: 'after' })
      .lean<CaseDocument>()
    // The winner of a race has made progress, so this ends.
    if (changed) return toCaseRecord(changed)
  }
}
