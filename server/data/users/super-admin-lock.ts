import type { Connection } from 'mongoose'
import { createLease, type Lease } from '../system/lease.ts'

export type SuperAdminLock = Pick<Lease, 'acquire' | 'release'>

/** Creates the lock under which super admins lose their rights, one at a time. */
export function createSuperAdminLock(connection: Connection): SuperAdminLock {
  return createLease(connection, { name: 'lock:super-admins', leaseMs: 10_000 })
}
