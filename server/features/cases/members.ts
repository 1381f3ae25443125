import { AppError } from '#contract/app-error.ts'
import { maxCaseMembers, type MemberRole } from '#contract/cases.ts'
import { roleIn, type CaseRecord } from '#data/cases/case-record.ts'
import { removeInvitee, setInvitee } from '#data/cases/invitees.ts'
import { removeMember, setMember } from '#data/cases/members.ts'
import { findPeople } from '#data/users/people.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { Audit } from '../audit/service.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { caseMemberAddedMail } from '../mail/templates/case-mails.ts'
import type { Users } from '../users/service.ts'
import type { Invitations } from '../invitations/service.ts'
import { createJoinInvitedCases } from './invitees.ts'
import {
  assertCanManageCase,
  assertConfirmedForOthers,
  caseNotFound,
  requireCase,
  type CaseActor,
  type OpenedCase,
  assertCanAddMember,
} from './policy.ts'

export interface MembersDeps extends MemberLookupDeps {
  users: Pick<Users, 'findByEmail' | 'findById' | 'findByIds'>
  audit: Audit
  mailer: Pick<Mailer, 'enqueue'>
  publicUrl: string
}

interface MemberLookupDeps {
  connection: DatabaseConnection
  users: Pick<Users, 'findByEmail'>
  invitations: Pick<Invitations, 'findPending'>
  limiter: Pick<RateLimiter, 'count'>
  clock: Clock
}

/** Number of addresses that a user may try as new members: adding one reveals that it has an account. */
const maxNewPerHour = 30
const hourMs = 60 * 60_000

/**
 * Creates what the owner of a case and admins can do with its members. Everything throws `not_found` and `forbidden` according to
 * `policy.ts`.
 */
export function createCaseMembers(deps: MembersDeps) {
  const { connection, users, audit, mailer, clock, publicUrl } = deps
  const findPerson = createMemberLookup(deps)
  const joinInvitedCases = createJoinInvitedCases({ connection, users, audit })

  async function requireManaged({ user }: CaseActor, id: string): Promise<OpenedCase> {
    const opened = await requireCase(connection, user, id)
    assertCanManageCase(user, opened)
    return opened
  }

  async function record({ user, origin }: CaseActor, action: string, target: string, details = ''): Promise<void> {
    await audit.record({ action: `case.${action}`, outcome: 'success', actor: user, target, details }, origin)
  }

  /**
   * Adds a member or changes a member's role; an address with only an invitation becomes a member at the first sign-in. Throws `conflict`
   * for the owner or if the case is full, and `password_confirmation_required` for admins who do not own the case, as administrative writes
   * do.
   */
  async function set(
    actor: CaseActor,
    caseId: string,
    { email, role }: { email: string; role: MemberRole },
  ): Promise<CaseRecord> {
    const opened = await requireManaged(actor, caseId)
    const before = opened.record
    const found = await findPerson(actor, opened, email)
    if ('invitationId' in found) return setInvited(actor, opened, { ...found, email, role })
    const { userId } = found
    if (userId === before.ownerId) throw new AppError('conflict', 'The owner of a case keeps every right in it')
    const had = roleIn(before, userId)
    if (userId === actor.user.id && before.ownerId !== userId) throw ownMembershipError()
    const changed = await setMember(connection, caseId, {
      userId,
      email,
      role,
      maxMembers: maxCaseMembers,
      mayAdd: !had,
    })
    if (changed === 'full') throw fullError()
    if (changed === 'removed') throw new AppError('conflict', 'This member has just been removed')
    if (!changed) throw caseNotFound()
    const isByAdmin = !had && opened.role !== 'owner'
    const details = `${email}: ${role}${isByAdmin ? ', by a super admin who is not the owner' : ''}`
    if (had !== role) await record(actor, had ? 'member_role' : 'member_add', caseId, details)
    if (isByAdmin) await notifyMembers(before, { added: email, actor: actor.user.email })
    return changed
  }

  async function setInvited(
    actor: CaseActor,
    { record: before, role: ownRole }: OpenedCase,
    invitee: { invitationId: string; email: string; role: MemberRole },
  ): Promise<CaseRecord> {
    const had = before.invitees.find(({ invitationId }) => invitationId === invitee.invitationId)?.role
    const changed = await setInvitee(connection, before.id, { ...invitee, maxMembers: maxCaseMembers })
    if (changed === 'full') throw fullError()
    if (!changed) throw caseNotFound()
    const { email, role } = invitee
    const isByAdmin = !had && ownRole !== 'owner'
    const details = `${email}: ${role}${isByAdmin ? ', by a super admin who is not the owner' : ''}`
    if (had !== role) await record(actor, had ? 'member_role' : 'member_invite', before.id, details)
    if (isByAdmin) await notifyMembers(before, { added: email, actor: actor.user.email })
    // The first sign-in may have happened in between.
    const user = await users.findByEmail(email)
    if (user) await joinInvitedCases(user.id, actor.origin)
    return user ? (await requireManaged(actor, before.id)).record : changed
  }

  /** Notifies the owner and the members, except the one who acts, regardless of which mails they chose. */
  async function notifyMembers(known: CaseRecord, facts: { added: string; actor: string }): Promise<void> {
    const url = `${publicUrl}/cases?case=${known.id}`
    for (const user of (await users.findByIds(memberIds(known))).values()) {
      const mail = caseMemberAddedMail(user, { ...facts, url })
      if (user.isActive && user.email !== facts.actor) mailer.enqueue(async () => createNotice(mail, user, clock))
    }
  }

  /**
   * Removes a member along with the member's recordings, or the invitee who was added with the invitation of this id. Throws `not_found`
   * for neither, `conflict` for the owner.
   */
  async function remove(actor: CaseActor, caseId: string, userId: string): Promise<CaseRecord> {
    const opened = await requireManaged(actor, caseId)
    assertConfirmedForOthers(actor.session, opened, clock)
    const { record: before } = opened
    if (userId === before.ownerId) throw ownerStaysError()
    const invitee = before.invitees.find(({ invitationId }) => invitationId === userId)
    if (roleIn(before, userId) === null && !invitee) throw new AppError('not_found', 'This case has no such member')
    const changed = await (invitee ? removeInvitee : removeMember)(connection, caseId, userId)
    if (!changed) throw caseNotFound()
    await record(actor, 'member_remove', caseId, invitee ? invitee.email : `user ${userId}`)
    return changed
  }

  /** Removes the caller and the caller's recordings from a case. Throws `conflict` for its owner. */
  async function leave(actor: CaseActor, caseId: string): Promise<void> {
    const { record: before, role } = await requireCase(connection, actor.user, caseId)
    if (role === null) throw caseNotFound()
    if (role === 'owner') throw ownerStaysError()
    await removeMember(connection, before.id, actor.user.id)
    await record(actor, 'leave', caseId)
  }

  return { set, remove, leave }
}

function fullError(): AppError {
  return new AppError('conflict', `A case has at most ${maxCaseMembers} members`)
}

function memberIds({ members }: CaseRecord): string[] {
  return members.map(({ userId }) => userId)
}

/** An admin who manages every case must not become a reader of each, and members must not change their own role. */
function ownMembershipError(): AppError {
  return new AppError('forbidden', 'You cannot make yourself a member, nor change your own role', {
    help: 'Ask the owner of the case.',
  })
}

function ownerStaysError(): AppError {
  return new AppError('conflict', 'The owner of a case cannot leave it', { help: 'Delete the case instead.' })
}

/** Creates the lookup of the person that an address given for a member of a case refers to. */
function createMemberLookup({ connection, users, invitations, limiter, clock }: MemberLookupDeps) {
  /**
   * Returns the user with an address, who is a member or may be added, or else the invitation for that address. Throws `invalid_input` if
   * nobody can be added, without revealing the reason.
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
    // A different invitation to the address, or an account created since, counts as a new person to add.
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
