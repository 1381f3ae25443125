import type { Connection } from 'mongoose'
import type { UserDoc } from '#data/users/user-model.ts'
import type { KnownDevices } from '../auth/known-devices.ts'
import type { Lockouts } from '../auth/lockouts.ts'
import type { PasswordReset } from '../auth/password-reset.ts'
import type { Registration } from '../auth/registration.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Users } from './service.ts'

/** What runs when a user is deleted: cancels work and removes what the user owns. Must be repeatable. */
export type UserRemover = (userId: string) => Promise<void>

interface RemovalDeps {
  connection: Connection
  users: Users
  sessions: Sessions
  devices: KnownDevices
  lockouts: Lockouts
  registration: Registration
  passwordReset: PasswordReset
  outbox: Outbox
  removers: UserRemover[]
}

/**
 * Deletes a user. The account is closed first and deleted last: a deletion that is interrupted leaves a closed account, and doing
 * it again finishes it.
 */
export function createUserRemoval(deps: RemovalDeps) {
  return async function removeUser(user: UserDoc): Promise<void> {
    const userId = user._id.toHexString()
    await deps.users.update(userId, { isActive: false })
    await deps.sessions.endAll(userId)
    for (const remove of deps.removers) await remove(userId)
    await deps.registration.forget(user._id)
    await deps.passwordReset.voidReset(user._id)
    await deps.outbox.removeFor(userId)
    await deps.devices.forgetAll(user._id)
    await deps.lockouts.unlock(user.email)
    await deps.users.remove(userId)
  }
}
