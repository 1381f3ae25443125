import type { Clock } from '#data/clock.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { passwordChangedMail } from '../mail/templates/account-mails.ts'
import type { KnownDevices } from '../sessions/known-devices.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Users } from '../users/service.ts'

interface PasswordChangeDeps {
  users: Pick<Users, 'setPassword'>
  sessions: Pick<Sessions, 'endAll'>
  devices: Pick<KnownDevices, 'forgetAll'>
  mailer: Pick<Mailer, 'enqueue'>
  clock: Clock
  /** Deletes the file with the first administrator's password once that account has another one. */
  removeInitialPassword: (email: string) => Promise<void>
}

interface ApplyOptions {
  /** The user must choose another password at the next sign-in. */
  mustChange: boolean
  /** The session that made the change continues; all others end. */
  keepSessionId?: string
  /** Closes the library in the same write as the password. */
  closure?: NonNullable<UserRecord['libraryClosure']>
  /** Where the request came from: password hashing is shared fairly among addresses. */
  origin: RequestOrigin
}

/** What every change of a password has in common, no matter who asked for it. */
export function createPasswordChange(deps: PasswordChangeDeps) {
  const { users, sessions, devices, mailer, clock } = deps

  async function apply(
    user: UserRecord,
    password: string,
    { keepSessionId, ...options }: ApplyOptions,
  ): Promise<UserRecord> {
    const changed = await users.setPassword(user.id, password, options)
    await sessions.endAll(user.id, keepSessionId)
    // Set by mail or by an admin: someone who knew the old password may have signed in on a device that is still known.
    if (keepSessionId === undefined) await devices.forgetAll(user.id)
    await deps.removeInitialPassword(user.email)
    mailer.enqueue(async () => {
      if (user.notifications?.securityAlerts === false) return undefined
      return createNotice(passwordChangedMail(user), user, clock)
    })
    return changed
  }

  return { apply }
}

export type PasswordChange = ReturnType<typeof createPasswordChange>
