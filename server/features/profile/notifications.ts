import { defaultNotificationSettings, type NotificationSettings } from '#contract/entities/user.ts'
import type { Clock } from '#data/clock.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { securityAlertsOffMail } from '../mail/templates/account-mails.ts'
import type { Users } from '../users/service.ts'

interface NotificationsDeps {
  users: Pick<Users, 'get' | 'update'>
  mailer: Pick<Mailer, 'enqueue'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/** Settings for which mails a user receives. */
export function createNotificationSettings({ users, mailer, audit, clock }: NotificationsDeps) {
  async function read(userId: string): Promise<NotificationSettings> {
    return present(await users.get(userId))
  }

  /** Stores the choice. A user who switches alerts off receives one last alert. */
  async function change(userId: string, settings: NotificationSettings, origin: RequestOrigin) {
    const before = await users.get(userId)
    const { email, security_alerts: securityAlerts } = settings
    const changed = await users.update(userId, { notifications: { email, securityAlerts } })
    if (present(before).security_alerts && !securityAlerts) {
      mailer.enqueue(async () => createNotice(securityAlertsOffMail(before), before, clock))
    }
    const entry = { action: 'profile.notifications', outcome: 'success' as const, actor: before }
    await audit.record({ ...entry, details: `email ${email}, security_alerts ${securityAlerts}` }, origin)
    return present(changed)
  }

  return { read, change }
}

function present({ notifications }: UserRecord): NotificationSettings {
  if (!notifications) return defaultNotificationSettings
  return { email: notifications.email, security_alerts: notifications.securityAlerts }
}
