import type { InviteeRecord, CaseRecord } from '#data/cases/case-record.ts'
import { promoteInvitee, listCasesByInvitee, removeInvitee } from '#data/cases/invitees.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { stateOf } from '#data/invitations/invitation-record.ts'
import { createInvitationRepository } from '#data/invitations/invitations.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import type { Users } from '../users/service.ts'

interface JoinDeps {
  connection: DatabaseConnection
  users: Pick<Users, 'findById'>
  audit: Pick<Audit, 'record'>
}

export interface PendingInvitee extends InviteeRecord {
  isExpired: boolean
}

// People in cases who have an invitation but no account. Whether the invitation still stands is checked when it matters: nobody whose
// invitation was revoked, by whatever route, is shown or admitted.

/** Returns the invitees of a case whose invitation was not revoked, and whether it has expired at `now`, in milliseconds. */
export async function listInvitees(
  connection: DatabaseConnection,
  { invitees }: Pick<CaseRecord, 'invitees'>,
  now: number,
): Promise<PendingInvitee[]> {
  const ids = invitees.map(({ invitationId }) => invitationId)
  const found = await createInvitationRepository(connection).findByIds(ids)
  return invitees.flatMap((invitee) => {
    const invitation = found.get(invitee.invitationId)
    const state = invitation ? stateOf(invitation, now) : 'revoked'
    return state === 'revoked' ? [] : [{ ...invitee, isExpired: state === 'expired' }]
  })
}

/** Creates the function that admits people with an invitation to the cases they were added to. */
export function createJoinInvitedCases({ connection, users, audit }: JoinDeps) {
  const invitations = createInvitationRepository(connection)

  /**
   * Makes a user a member of the cases to which the account's verified address was added. Called at every sign-in, because every route to
   * an account leads through one: the link of the invitation, registration, a directory.
   */
  return async function joinInvitedCases(userId: string, origin: RequestOrigin): Promise<void> {
    const user = await users.findById(userId)
    if (!user?.isVerified) return
    const cases = await listCasesByInvitee(connection, user.email)
    const own = cases.flatMap(({ id, invitees }) =>
      invitees.filter(({ email }) => email === user.email).map(({ invitationId }) => ({ caseId: id, invitationId })),
    )
    const found = await invitations.findByIds(own.map(({ invitationId }) => invitationId))
    for (const { caseId, invitationId } of own) {
      const status = found.get(invitationId)?.status
      if (status === undefined || status === 'revoked') {
        await removeInvitee(connection, caseId, invitationId)
        continue
      }
      const role = await promoteInvitee(connection, caseId, { invitationId, userId })
      const details = `${user.email}: ${role}, by invitation`
      const entry = { action: 'case.member_add', outcome: 'success' as const, actor: user, target: caseId, details }
      if (role) await audit.record(entry, origin)
    }
  }
}
