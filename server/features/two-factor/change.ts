import type { Clock } from '#data/clock.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { twoFactorChangedMail, type TwoFactorEvent } from '../mail/templates/account-mails.ts'
import type { Sessions } from '../sessions/service.ts'

interface TwoFactorChangeDeps {
  sessions: Pick<Sessions, 'endAll'>
  mailer: Pick<Mailer, 'enqueue'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

interface AnnounceOptions {
  origin: RequestOrigin
  /** The session in which the change was made; it continues, and all others end. */
  keepSessionId?: string
  /** Who made the change, if not the user. */
  actor?: { email: string }
  /** Details for the audit trail, such as the name of a passkey. */
  details?: string
}

/**
 * What every change of a second factor has in common, no matter who makes it: other sessions end, the user is notified by mail, and it is
 * audited.
 */
export function createTwoFactorChange({ sessions, mailer, audit, clock }: TwoFactorChangeDeps) {
  async function announce(
    user: UserRecord,
    event: TwoFactorEvent,
    { origin, keepSessionId, actor, details = '' }: AnnounceOptions,
  ): Promise<void> {
    await sessions.endAll(user.id, keepSessionId)
    mailer.enqueue(async () => {
      if (user.notifications?.securityAlerts === false) return undefined
      return createNotice(twoFactorChangedMail(user, event), user, clock)
    })
    const entry = { action: `two_factor.${event}`, outcome: 'success' as const, target: user.email }
    await audit.record({ ...entry, details, actor: actor ?? user }, origin)
  }

  return { announce }
}

export type TwoFactorChange = ReturnType<typeof createTwoFactorChange>
