import { AppError } from '#contract/app-error.ts'
import type { CaseRole } from '#contract/cases.ts'
import { roleIn, type CaseRecord } from '#data/cases/case-record.ts'
import { findCase } from '#data/cases/cases.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { AuthSession, AuthUser, RequestOrigin } from '#server/http/context.ts'
import { assertRecentConfirmation } from '../sessions/recent-password.ts'

/** A case that somebody has requested, with that user's role; null for an admin who is not a member. */
export interface OpenedCase {
  record: CaseRecord
  role: CaseRole | null
}

/** The person managing a case, for decisions and the audit trail. */
export interface CaseActor {
  user: AuthUser
  session: AuthSession
  origin: RequestOrigin
}

export function isAdmin({ role }: Pick<AuthUser, 'role'>): boolean {
  return role !== 'user'
}

/** Returns a case to a member or an admin. Throws `not_found` for anybody else. */
export async function requireCase(connection: DatabaseConnection, user: AuthUser, id: string): Promise<OpenedCase> {
  const record = await findCase(connection, id)
  const role = record && roleIn(record, user.id)
  if (!record || (role === null && !isAdmin(user))) throw caseNotFound()
  return { record, role }
}

/** Throws `forbidden` for anyone who is neither the owner of the case nor an admin. */
export function assertCanManageCase(user: AuthUser, { role }: OpenedCase): void {
  if (role === 'owner' || isAdmin(user)) return
  throw new AppError('forbidden', 'Only the owner of a case and admins manage it')
}

/**
 * Throws `forbidden` for an admin who does not own the case, member or not: an admin who could add a second account could read the contents
 * of the case through it, or give it a role that they do not have themselves. Super admins can, for cases whose owner is gone;
 * `createCaseMembers` makes them confirm it, and notifies the members.
 */
export function assertCanAddMember(user: AuthUser, { role }: Pick<OpenedCase, 'role'>): void {
  if (role === 'owner' || user.role === 'super_admin') return
  throw new AppError('forbidden', 'The owner of a case and super admins add members', {
    help: 'Ask the owner of the case.',
  })
}

/** Throws `password_confirmation_required` for an admin who manages another user's case without a recent confirmation. */
export function assertConfirmedForOthers(session: AuthSession, { role }: Pick<OpenedCase, 'role'>, clock: Clock): void {
  if (role !== 'owner') assertRecentConfirmation(session, clock)
}

/** Throws `forbidden` for an admin who is not a member: managing a case does not include reading it. */
export function assertIsMember({ role }: OpenedCase): void {
  if (role !== null) return
  throw new AppError('forbidden', 'Only members see the recordings of a case', {
    help: 'Ask its owner to add you.',
  })
}

/** Throws `forbidden` for a member with read-only access. */
export function assertCanEditCase(opened: OpenedCase): void {
  assertIsMember(opened)
  if (opened.role !== 'view') return
  throw new AppError('forbidden', 'You may read this case, but not change it', {
    help: 'Ask its owner for the right to edit.',
  })
}

export function caseNotFound(): AppError {
  return new AppError('not_found', 'Case not found')
}
