import type { Person } from '../person.ts'
import type { Product } from '../product.ts'
import type { Volume } from '../volume.ts'

export interface FaultContext {
  product: Product
  volume: Volume
  /** Somebody with an account of their own, whom no check is about. */
  stranger: Person
  random: () => number
}

/** What a fault did. Times of performance.now(). */
export interface FaultDone {
  /** In words, for the report. */
  what: string
  /** Answers to what was asked before this moment say nothing. */
  brokenAtMs: number
  /** From when on the product is expected to serve: the kill, the end of a pause, the room on the disk. */
  healedAtMs: number
  /** Sessions may end: their time has come. */
  mayEndSessions?: boolean
  /** Faults that show only a while later; asked for once the service is back. */
  findLater?: () => Promise<string[]>
}

/** Breaks something, and heals what does not heal by itself. Undefined where this machine does not permit it. */
export type Fault = (context: FaultContext) => Promise<FaultDone | undefined>
