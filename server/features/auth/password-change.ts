import type { UserDoc } from '#data/accounts/user-model.ts'
import type { Clock } from '#data/clock.ts'
import type { Mailer } from '../mail/mailer.ts'
import { passwordChangedMail } from '../mail/templates/account-mails.ts'
import type { Sessions } from '../sessions/service.ts'
import { forgetInitialPassword } from '../system/first-admin.ts'
import type { Users } from '../users/service.ts'

const noticeLifetimeMs = 7 * 24 * 60 * 60_000

interface PasswordChangeDeps {
  users: Users
  sessions: Sessions
  mailer: Mailer
  clock: Clock
  dataDir: string
}

interface ApplyOptions {
  /** The user must choose another at the next sign-in. */
  mustChange: boolean
  /** The session that did it goes on; all others end. */
  keepSessionId?: string
}

/** What every change of a password has in common, whoever asked for it. */
export function createPasswordChange({ users, sessions, mailer, clock, dataDir }: PasswordChangeDeps) {
  async function apply(user: UserDoc, password: string, { mustChange, keepSessionId }: ApplyOptions): Promise<UserDoc> {
    const userId = user._id.toHexString()
    const changed = await users.setPassword(userId, password, { mustChange })
    await sessions.endAll(userId, keepSessionId)
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
