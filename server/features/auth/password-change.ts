import type { UserDoc } from '#data/users/user-model.ts'
import type { Clock } from '#data/clock.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { noticeLifetimeMs } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { passwordChangedMail } from '../mail/templates/account-mails.ts'
import type { Sessions } from '../sessions/service.ts'
import { forgetInitialPassword } from '../system/first-admin.ts'
import type { Users } from '../users/service.ts'
import type { KnownDevices } from './known-devices.ts'

interface PasswordChangeDeps {
  users: Users
  sessions: Sessions
  devices: KnownDevices
  mailer: Mailer
  clock: Clock
  dataDir: string
}

interface ApplyOptions {
  /** The user must choose another at the next sign-in. */
  mustChange: boolean
  /** The session that did it goes on; all others end. */
  keepSessionId?: string
  /** Who asks: hashing is fair between addresses. */
  origin: RequestOrigin
}

/** What every change of a password has in common, whoever asked for it. */
export function createPasswordChange({ users, sessions, devices, mailer, clock, dataDir }: PasswordChangeDeps) {
  async function apply(
    user: UserDoc,
    password: string,
    { mustChange, keepSessionId, origin }: ApplyOptions,
  ): Promise<UserDoc> {
    const userId = user._id.toHexString()
    const changed = await users.setPassword(userId, password, { mustChange, origin })
    await sessions.endAll(userId, keepSessionId)
    // Set by mail or by an admin: whoever knew the old password may have left a device behind.
    if (keepSessionId === undefined) await devices.forgetAll(user._id)
    await forgetInitialPassword(dataDir, user.email)
    mailer.enqueue(async () => ({
      ...passwordChangedMail(user),
      to: user.email,
      userId,
      purpose: 'notice',
      expiresAt: new Date(clock.now() + noticeLifetimeMs),
    }))
    return changed
  }

  return { apply }
}

export type PasswordChange = ReturnType<typeof createPasswordChange>
