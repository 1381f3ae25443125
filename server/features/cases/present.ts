import type { z } from 'zod'
import type { Case, CaseDetails, CaseInvitee, CaseMember } from '#contract/cases.ts'
import { roleIn, type CaseRecord, type MemberRecord } from '#data/cases/case-record.ts'
import { countCaseRecordings } from '#data/cases/case-recordings.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findPeople, type PersonRecord } from '#data/users/people.ts'
import type { AuthUser } from '#server/http/context.ts'
import { listInvitees, type PendingInvitee } from './invitees.ts'
import { isAdmin } from './policy.ts'
import { presentHold } from './present-hold.ts'

type People = Map<string, PersonRecord>

/** Presents cases to one user; owners and recording counts are read with one query each. */
export async function presentCases(
  connection: DatabaseConnection,
  userId: string,
  records: CaseRecord[],
): Promise<z.input<typeof Case>[]> {
  const [people, counts] = await Promise.all([
    findPeople(
      connection,
      records.map(({ ownerId }) => ownerId),
    ),
    countCaseRecordings(
      connection,
      records.map(({ id }) => id),
    ),
  ])
  return records.map((record) => presentCase(record, { userId, people, recordingCount: counts.get(record.id) ?? 0 }))
}

/** Presents a case to one user, with its members and its pending members. */
export async function presentCaseDetails(
  { connection, clock }: { connection: DatabaseConnection; clock: Clock },
  user: Pick<AuthUser, 'id' | 'role'>,
  record: CaseRecord,
): Promise<z.input<typeof CaseDetails>> {
  const { hold } = record
  const [people, counts, invitees] = await Promise.all([
    findPeople(connection, [...record.members.map((member) => member.userId), ...(hold ? [hold.setBy] : [])]),
    countCaseRecordings(connection, [record.id]),
    listInvitees(connection, record, clock.now()),
  ])
  const shown = presentCase(record, { userId: user.id, people, recordingCount: counts.get(record.id) ?? 0 })
  const isOwner = shown.role === 'owner'
  return {
    ...shown,
    notes: shown.role === null ? null : record.notes,
    members: record.members.flatMap((member) => presentMember(member, people)),
    invitees: invitees.map(presentInvitee),
    ...(hold && { hold: presentHold(hold, { of: record, people, isOwner, isAdmin: isAdmin(user) }) }),
  }
}

interface CaseContext {
  userId: string
  people: People
  recordingCount: number
}

function presentCase(record: CaseRecord, { userId, people, recordingCount }: CaseContext): z.input<typeof Case> {
  const { id, name, colour, ownerId, members, createdAt, updatedAt, retentionDays } = record
  return {
    id,
    name,
    colour,
    role: roleIn(record, userId),
    owner: presentOwner(ownerId, people),
    member_count: members.length,
    recording_count: recordingCount,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    ...(record.hold && { is_held: true as const }),
    ...(retentionDays !== undefined && { retention_days: retentionDays }),
  }
}

/** An account that has been deleted in the meantime has no name. */
export function presentOwner(id: string, people: People): { id: string; name: string } {
  return { id, name: people.get(id)?.name ?? '' }
}

function presentMember({ userId, role, addedAt }: MemberRecord, people: People): z.input<typeof CaseMember>[] {
  const person = people.get(userId)
  if (!person) return []
  const { name, email, isActive } = person
  return [{ id: userId, name, email, role, is_active: isActive, added_at: addedAt.toISOString() }]
}

function presentInvitee({
  invitationId,
  email,
  role,
  isExpired,
  addedAt,
}: PendingInvitee): z.input<typeof CaseInvitee> {
  return { id: invitationId, email, role, is_expired: isExpired, added_at: addedAt.toISOString() }
}
