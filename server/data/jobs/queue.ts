import type { DatabaseConnection } from '../connect.ts'
import { createKeyedMutex, type KeyedMutex } from '../keyed-mutex.ts'

export interface QueueLimits {
  /** How long a lease lasts without a renewal. Default 10 s. */
  leaseMs: number
  /** Interval at which the holder renews it. Default 3 s. */
  renewMs: number
  /** Attempts before a job fails for good. Default 3. */
  maxAttempts: number
  /** Maximum number of waiting jobs of all users together. Default 1,000. */
  maxQueued: number
  /** Maximum number of waiting jobs of one user. Default 100. */
  maxQueuedPerUser: number
}

/** Identifies one lease of one job. */
export interface LeaseKey {
  /** The job's id. */
  id: string
  leaseId: string
}

/** The job queue of one database: the first argument of every function in this folder. */
export interface Queue {
  connection: DatabaseConnection
  limits: QueueLimits
  /** Runs the enqueue requests of each owner one after another. */
  runExclusive: KeyedMutex
  /** Leases that this process may have acquired without learning of it, because the reply was lost: see claim.ts. */
  unconfirmedLeases: Set<LeaseKey>
}

const defaults: QueueLimits = {
  leaseMs: 10_000,
  renewMs: 3_000,
  maxAttempts: 3,
  maxQueued: 1_000,
  maxQueuedPerUser: 100,
}

/** Opens the queue of a connection. */
export function openQueue(connection: DatabaseConnection, limits: Partial<QueueLimits> = {}): Queue {
  return {
    connection,
    limits: { ...defaults, ...limits },
    runExclusive: createKeyedMutex(),
    unconfirmedLeases: new Set(),
  }
}
