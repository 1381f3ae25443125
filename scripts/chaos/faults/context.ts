import type { Person } from '../person.ts'
import type { Product } from '../product.ts'
import type { ReplicaSet } from '../replica-set/replica-set.ts'
import type { Volume } from '../volume.ts'

export interface FaultContext {
  product: Product
  volume: Volume
  /** The database; undefined for the embedded one. */
  replicaSet?: ReplicaSet | undefined
  /** A user whose data no check looks at. */
  bystander: Person
  random: () => number
}

/** What a fault did. Times are those of performance.now(). */
export interface FaultOutcome {
  /** Description for the report. */
  what: string
  /** Responses to requests from before this moment are ignored. */
  brokenAtMs: number
  /** From when the product should recover: after the kill, when the pause ends, or when disk space is freed. */
  healedAtMs: number
  /** Whether sessions may expire in the meantime. */
  mayEndSessions?: boolean
  /** Returns problems that show only later; called once the service is back. */
  findLater?: () => Promise<string[]>
}

/** Breaks something and repairs what does not recover by itself. Resolves to undefined where this machine does not permit it. */
export type Fault = (context: FaultContext) => Promise<FaultOutcome | undefined>
