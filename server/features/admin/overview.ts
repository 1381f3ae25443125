import type { Clock } from '#data/clock.ts'
import type { AuthUser } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Users } from '../users/service.ts'
import type { AllSessions } from './all-sessions.ts'
import { daysAgo } from './user-query.ts'

const dormantDays = 90

interface OverviewDeps {
  users: Pick<Users, 'stats' | 'countUnused'>
  allSessions: Pick<AllSessions, 'count'>
  invitations: { countPending(): Promise<number> }
  audit: Pick<Audit, 'countFailedSignIns'>
  outbox: Pick<Outbox, 'countWaiting' | 'countFailing'>
  clock: Clock
}

/** Returns the figures of the overview, each counted from an index. Mail figures are for super admins, since only they may see them. */
export function createOverview({ users, allSessions, invitations, audit, outbox, clock }: OverviewDeps) {
  return async function readOverview({ role }: Pick<AuthUser, 'role'>) {
    const maySeeMail = role === 'super_admin'
    const [stats, dormant, pending, open, failed, waiting, failing] = await Promise.all([
      users.stats(),
      users.countUnused(daysAgo(dormantDays, clock)),
      invitations.countPending(),
      allSessions.count(),
      audit.countFailedSignIns(daysAgo(1, clock)),
      maySeeMail ? outbox.countWaiting() : 0,
      maySeeMail ? outbox.countFailing() : 0,
    ])
    return {
      total_users: stats.total_users,
      active_users: stats.active_users,
      inactive_users: stats.total_users - stats.active_users,
      unverified_users: stats.total_users - stats.verified_users,
      users_without_2fa: stats.total_users - stats.users_with_2fa,
      dormant_users: dormant,
      pending_invitations: pending,
      open_sessions: open,
      failed_sign_ins: failed,
      waiting_mails: waiting,
      failing_mails: failing,
    }
  }
}

export type ReadOverview = ReturnType<typeof createOverview>
