import type { UserRecord } from '#data/users/user-record.ts'
import type { Users } from './service.ts'

/** Ends or removes what one part of the product keeps for a user. Repeatable. */
export type UserRemover = (user: UserRecord) => Promise<void>

interface RemovalDeps {
  users: Pick<Users, 'update' | 'remove'>
  /** Run in this order. */
  removers: UserRemover[]
}

/**
 * Deletes a user. The account is deactivated first and deleted last: an interrupted deletion leaves a deactivated account, and
 * repeating it completes it.
 */
export function createUserRemoval({ users, removers }: RemovalDeps) {
  return async function removeUser(user: UserRecord): Promise<void> {
    await users.update(user.id, { isActive: false })
    for (const remove of removers) await remove(user)
    await users.remove(user.id)
  }
}
