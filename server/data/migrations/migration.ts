import type { Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'

/** A change to stored documents that runs once in each database, before the product uses it: see docs/decisions/migrations.md. */
export interface Migration {
  /** Identifies it permanently in every database. */
  name: string
  /** Version of the data once it has finished. Grows in list order; older code rejects the data from then on. */
  dataVersion: number
  collection: string
  /**
   * Selects the documents to change; changed documents no longer match. Plain JSON: an older release reads it from this release's file
   * upgrade.json and counts the documents.
   */
  filter: Record<string, string | number | boolean | null>
  /** Documents of the collection read by one query: few enough that it ends well within its time limit. */
  pageSize: number
  /** Measured speed, for estimates. */
  documentsPerSecond: number
  /**
   * Changes matching documents. Repeated, or run by two processes at once, it has the same result. Older code must be able to read what it
   * writes, because older code can be started again on data with an unfinished migration. It neither counts a change nor writes to the
   * audit trail: those show that an Awaz has worked on the data since the restore point.
   */
  migrate(connection: DatabaseConnection, ids: Types.ObjectId[]): Promise<void>
}
