import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import type { UserDoc } from '#data/users/user-model.ts'
import { isDuplicateKey } from '#data/model.ts'
import { systemFactModel } from '#data/system/system-models.ts'
import type { Users } from './service.ts'

const lockName = 'lock:super-admins'
const leaseMs = 10_000
const patienceMs = 4000
const pauseMs = 15

interface GuardDeps {
  connection: Connection
  users: Users
}

/**
 * Keeps at least one active super admin. The embedded engine has no transactions, so every change that takes a super admin away
 * runs alone, behind a lock in the database that all servers share: counting and changing cannot be interleaved.
 */
export function createSuperAdminGuard({ connection, users }: GuardDeps) {
  const facts = systemFactModel(connection)

  /** Real time, not the injected clock: the lease is about processes that died. */
  async function acquire(holder: string): Promise<boolean> {
    const now = Date.now()
    const update = { $set: { value: holder, until: new Date(now + leaseMs) } }
    try {
      await facts.findOneAndUpdate({ _id: lockName, until: { $lte: new Date(now) } }, update, { upsert: true })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }

  /**
   * Runs a change that takes this user's rights as a super admin away, given as fresh from the database.
   * @throws AppError `conflict` when it is the last active super admin
   */
  async function takeAway<Result>(userId: string, change: (user: UserDoc) => Promise<Result>): Promise<Result> {
    const holder = randomUUID()
    const giveUpAt = Date.now() + patienceMs
    while (!(await acquire(holder))) {
      if (Date.now() > giveUpAt)
        throw new AppError('unavailable', 'The server is busy. Please try again in a few seconds.')
      await wait(pauseMs)
    }
    try {
      const user = await users.get(userId)
      const isLast = user.role === 'super_admin' && user.isActive && (await users.countActiveSuperAdmins()) <= 1
      if (isLast) throw new AppError('conflict', 'There must be at least one active super admin')
      return await change(user)
    } finally {
      await facts.deleteOne({ _id: lockName, value: holder })
    }
  }

  return { takeAway }
}

export type SuperAdminGuard = ReturnType<typeof createSuperAdminGuard>
