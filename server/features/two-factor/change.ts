import type { UserDoc } from '#data/users/user-model.ts'
import type { Clock } from '#data/clock.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import { noticeLifetimeMs } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { twoFactorChangedMail, type TwoFactorEvent } from '../mail/templates/account-mails.ts'
import type { Sessions } from '../sessions/service.ts'

interface TwoFactorChangeDeps {
  sessions: Sessions
  mailer: Mailer
  audit: Audit
  clock: Clock
}

interface AnnounceOptions {
  origin: RequestOrigin
  /** The session that did it goes on; all others end. */
  keepSessionId?: string
  /** Who did it, where it was not the user. */
  actor?: { email: string }
}

/** What every change of a second factor has in common, whoever made it: other sessions end, the user is told, it is audited. */
export function createTwoFactorChange({ sessions, mailer, audit, clock }: TwoFactorChangeDeps) {
  async function announce(
    user: UserDoc,
    event: TwoFactorEvent,
    { origin, keepSessionId, actor }: AnnounceOptions,
  ): Promise<void> {
    const userId = user._id.toHexString()
    await sessions.endAll(userId, keepSessionId)
    mailer.enqueue(async () => ({
      ...twoFactorChangedMail(user, event),
      to: user.email,
      userId,
      purpose: 'notice',
      expiresAt: new Date(clock.now() + noticeLifetimeMs),
    }))
    const entry = { action: `two_factor.${event}`, outcome: 'success' as const, target: user.email }
    await audit.record({ ...entry, actor: actor ?? { id: userId, email: user.email } }, origin)
  }

  return { announce }
}

export type TwoFactorChange = ReturnType<typeof createTwoFactorChange>
