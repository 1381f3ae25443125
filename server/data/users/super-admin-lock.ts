import type { Connection } from 'mongoose'
import { isDuplicateKey } from '../model.ts'
import { systemFactModel } from '../system/system-fact-model.ts'

const lockName = 'lock:super-admins'
const leaseMs = 10_000

/** A lock in the database, shared by all servers, with a lease that outlives no dead process for long. */
export function createSuperAdminLock(connection: Connection) {
  const facts = systemFactModel(connection)

  /** Returns whether the lock was acquired. Uses real time, not the injected clock: the lease is about processes that died. */
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

  async function release(holder: string): Promise<void> {
    await facts.deleteOne({ _id: lockName, value: holder })
  }

  return { acquire, release }
}

export type SuperAdminLock = ReturnType<typeof createSuperAdminLock>
