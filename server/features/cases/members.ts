import { AppError } from '#contract/app-error.ts'
import { maxCaseMembers, type MemberRole } from '#contract/cases.ts'
import { roleIn, type CaseRecord } from '#data/cases/case-record.ts'
import { removeMember, setMember } from '#data/cases/members.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findPeople } from '#data/users/people.ts'
import type { AuthSession, AuthUser, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { Audit } from '../audit/service.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { caseMemberAddedMail } from '../mail/templates/case-mails.ts'
import type { Users } from '../users/service.ts'
import {
  assertCanAddMember,
  assertCanManageCase,
  assertConfirmedForOthers,
  caseNotFound,
  requireCase,
  type OpenedCase,
} from './policy.ts'

export interface MembersDeps {
  connection: DatabaseConnection
  users: Pick<Users, 'findByEmail' | 'findByIds'>
  audit: Audit
  limiter: Pick<RateLimiter, 'count'>
  mailer: Pick<Mailer, 'enqueue'>
  clock: Clock
  publicUrl: string
}

/** Who manages a case, for decisions and the audit trail. */
export interface CaseActor {
  user: AuthUser
  session: AuthSession
  origin: RequestOrigin
}

/** Addresses that a user tries as new members: adding one reveals that it has an account. */
const maxNewPerHour = 30
const hourMs = 60 * 60_000

/** Creates what the owner of a case and admins do with its members. Everything throws `not_found` and `forbidden` as `policy.ts` has it. */
export function createCaseMembers(deps: MembersDeps) {
  const { connection, users, audit, limiter, mailer, clock, publicUrl } = deps

  async function requireManaged({ user }: CaseActor, id: string): Promise<OpenedCase> {
    const opened = await requireCase(connection, user, id)
    assertCanManageCase(user, opened)
    return opened
  }

  async function record({ user, origin }: CaseActor, action: string, target: string, details = ''): Promise<void> {
    await audit.record({ action: `case.${action}`, outcome: 'success', actor: user, target, details }, origin)
  }

  /**
   * Returns the id of the user with an address, who is a member or may be added. Throws `invalid_input` where there is none to add, without
   * revealing the reason.
   */
  async function findUserId({ user, session }: CaseActor, opened: OpenedCase, email: string): Promise<string> {
    const people = await findPeople(connection, memberIds(opened.record))
    const member = [...people.values()].find((person) => person.email === email)
    if (!member) assertCanAddMember(user, opened)
    assertConfirmedForOthers(session, opened, clock)
    if (member) return member.id
    await limiter.count({ name: 'case_member', key: user.id, limit: maxNewPerHour, windowMs: hourMs })
    const found = await users.findByEmail(email)
    if (found?.isActive && found.isVerified) return found.id
    throw invalidInput(
      ['No account that can be added has this address. Check the spelling; the account must be verified and active.'],
      'email',
    )
  }

  /**
   * Adds a member or changes the role of one. Throws `conflict` for the owner, and where the case is full; for admins who do not own the
   * case `password_confirmation_required`, as administrative writes do.
   */
  async function set(
    actor: CaseActor,
    caseId: string,
    { email, role }: { email: string; role: MemberRole },
  ): Promise<CaseRecord> {
    const opened = await requireManaged(actor, caseId)
    const before = opened.record
    const userId = await findUserId(actor, opened, email)
    if (userId === before.ownerId) throw new AppError('conflict', 'The owner of a case keeps every right in it')
    const had = roleIn(before, userId)
    if (userId === actor.user.id && before.ownerId !== userId) throw ownMembershipError()
    const changed = await setMember(connection, caseId, { userId, role, maxMembers: maxCaseMembers, mayAdd: !had })
    if (changed === 'full') throw new AppError('conflict', `A case has at most ${maxCaseMembers} members`)
    if (changed === 'removed') throw new AppError('conflict', 'This member has just been removed')
    if (!changed) throw caseNotFound()
    const isByAdmin = !had && opened.role !== 'owner'
    const details = `${email}: ${role}${isByAdmin ? ', by a super admin who is not the owner' : ''}`
    if (had !== role) await record(actor, had ? 'member_role' : 'member_add', caseId, details)
    if (isByAdmin) await notifyMembers(before, { added: email, actor: actor.user.email })
    return changed
  }

  /** Notifies the owner and the members except the one who acts, whatever mails they chose. */
  async function notifyMembers(known: CaseRecord, facts: { added: string; actor: string }): Promise<void> {
    const url = `${publicUrl}/cases?case=${known.id}`
    for (const user of (await users.findByIds(memberIds(known))).values()) {
      const mail = caseMemberAddedMail(user, { ...facts, url })
      if (user.isActive && user.email !== facts.actor) mailer.enqueue(async () => createNotice(mail, user, clock))
    }
  }

  /** Removes a member with the member's recordings. Throws `not_found` for no member, `conflict` for the owner. */
  async function remove(actor: CaseActor, caseId: string, userId: string): Promise<CaseRecord> {
    const opened = await requireManaged(actor, caseId)
    assertConfirmedForOthers(actor.session, opened, clock)
    const { record: before } = opened
    if (userId === before.ownerId) throw ownerStaysError()
    if (roleIn(before, userId) === null) throw new AppError('not_found', 'This case has no such member')
    const changed = await removeMember(connection, caseId, userId)
    if (!changed) throw caseNotFound()
    await record(actor, 'member_remove', caseId, `user ${userId}`)
    return changed
  }

  /** Takes the caller and the caller's recordings out of a case. Throws `conflict` for its owner. */
  async function leave(actor: CaseActor, caseId: string): Promise<void> {
    const { record: before, role } = await requireCase(connection, actor.user, caseId)
    if (role === null) throw caseNotFound()
    if (role === 'owner') throw ownerStaysError()
    await removeMember(connection, before.id, actor.user.id)
    await record(actor, 'leave', caseId)
  }

  return { set, remove, leave }
}

function memberIds({ members }: CaseRecord): string[] {
  return members.map(({ userId }) => userId)
}

/** An admin who manages every case must not become a reader of each, and a member must not change the own role. */
function ownMembershipError(): AppError {
  return new AppError('forbidden', 'You cannot make yourself a member, nor change your own role', {
    help: 'Ask the owner of the case.',
  })
}

function ownerStaysError(): AppError {
  return new AppError('conflict', 'The owner of a case cannot leave it', { help: 'Delete the case instead.' })
}
