import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '#contract/app-error.ts'
import type { SuperAdminLock } from '#data/users/super-admin-lock.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { Users } from './service.ts'

const lockTimeoutMs = 4000
const retryDelayMs = 15

interface GuardDeps {
  lock: SuperAdminLock
  users: Pick<Users, 'get' | 'countActiveSuperAdmins'>
}

/**
 * Keeps at least one active super admin. The embedded engine has no transactions, so every change that takes away a super admin's rights
 * runs exclusively, behind a lock in the database that all servers share: counting and changing cannot be interleaved.
 */
export function createSuperAdminGuard({ lock, users }: GuardDeps) {
  async function waitForLock(holder: string): Promise<void> {
    const deadline = Date.now() + lockTimeoutMs
    while (!(await lock.acquire(holder))) {
      if (Date.now() > deadline)
        throw new AppError('unavailable', 'The server is busy. Please try again in a few seconds.')
      await wait(retryDelayMs)
    }
  }

  /**
   * Runs a change that takes away this user's rights as a super admin; it is passed the user as just read. Throws `conflict` for the last
   * active super admin.
   */
  async function revokeRights<Result>(userId: string, change: (user: UserRecord) => Promise<Result>): Promise<Result> {
    const holder = randomUUID()
    await waitForLock(holder)
    try {
      const user = await users.get(userId)
      const isLast = user.role === 'super_admin' && user.isActive && (await users.countActiveSuperAdmins()) <= 1
      if (isLast) throw new AppError('conflict', 'There must be at least one active super admin')
      return await change(user)
    } finally {
      await lock.release(holder)
    }
  }

  return { revokeRights }
}

export type SuperAdminGuard = ReturnType<typeof createSuperAdminGuard>
