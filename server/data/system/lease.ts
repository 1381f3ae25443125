import type { Connection } from 'mongoose'
import { isDuplicateKey } from '../model.ts'
import { systemFactModel } from './system-fact-model.ts'

interface LeaseOptions {
  /** Name in `system_facts`. */
  name: string
  leaseMs: number
}

/**
 * Creates a lock in the database, shared by all processes, whose lease does not outlive a dead process for long. Uses real time rather
 * than an injected clock: the lease is about processes that died.
 */
export function createLease(connection: Connection, { name, leaseMs }: LeaseOptions) {
  const facts = systemFactModel(connection)
  const end = () => new Date(Date.now() + leaseMs)

  /** Tries to acquire the lock. Returns whether it succeeded. */
  async function acquire(holder: string): Promise<boolean> {
    const update = { $set: { value: holder, until: end() } }
    try {
      await facts.findOneAndUpdate({ _id: name, until: { $lte: new Date() } }, update, { upsert: true })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }

  /** Extends the lease. Returns false if another process has taken it since. */
  async function renew(holder: string): Promise<boolean> {
    const { matchedCount } = await facts.updateOne({ _id: name, value: holder }, { $set: { until: end() } })
    return matchedCount === 1
  }

  async function release(holder: string): Promise<void> {
    await facts.deleteOne({ _id: name, value: holder })
  }

  /** Returns whether any process holds the lock. */
  async function isHeld(): Promise<boolean> {
    return (await facts.exists({ _id: name, until: { $gt: new Date() } })) !== null
  }

  return { acquire, renew, release, isHeld }
}

export type Lease = ReturnType<typeof createLease>
