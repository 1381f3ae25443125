import { findPeople } from '#data/users/people.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { Invitations } from '../invitations/service.ts'
import type { Users } from '../users/service.ts'
import { assertCanAddMember, assertConfirmedForOthers, type CaseActor, type OpenedCase } from './policy.ts'

export interface MemberLookupDeps {
  connection: DatabaseConnection
  users: Pick<Users, 'findByEmail'>
  invitations: Pick<Invitations, 'findPending'>
  limiter: Pick<RateLimiter, 'count'>
  clock: Clock
}

/** Addresses that a user tries as new members: adding one reveals that it has an account. */
const maxNewPerHour = 30
const hourMs = 60 * 60_000

/** Creates what finds the person whom an address of a case's member, new or not, means. */
export function createMemberLookup({ connection, users, invitations, limiter, clock }: MemberLookupDeps) {
  /**
   * Returns the user with an address, who is a member or may be added, or else the invitation of the address. Throws `invalid_input` where
   * there is none to add, without revealing the reason.
   */
  return async function findPerson(
    { user, session }: CaseActor,
    opened: OpenedCase,
    email: string,
  ): Promise<{ userId: string } | { invitationId: string }> {
    const people = await findPeople(
      connection,
      opened.record.members.map(({ userId }) => userId),
    )
    const member = [...people.values()].find((person) => person.email === email)
    const invitee = opened.record.invitees.find((each) => each.email === email)
    if (!member && !invitee) assertCanAddMember(user, opened)
    assertConfirmedForOthers(session, opened, clock)
    if (member) return { userId: member.id }
    if (!invitee) await limiter.count({ name: 'case_member', key: user.id, limit: maxNewPerHour, windowMs: hourMs })
    const found = await users.findByEmail(email)
    const invitation = found ? undefined : await invitations.findPending(email)
    // Another invitation to the address, or an account by now, is somebody to add.
    if (invitation?.id !== invitee?.invitationId) assertCanAddMember(user, opened)
    if (found?.isActive && found.isVerified) return { userId: found.id }
    if (invitation) return { invitationId: invitation.id }
    throw invalidInput(
      [
        'No account that can be added has this address, nor was it invited. Check the spelling; an account must be verified and active.',
      ],
      'email',
    )
  }
}
