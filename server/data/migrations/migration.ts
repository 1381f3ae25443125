import type { Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'

/** A change of stored documents that runs once in each database, before the product works on it: see docs/decisions/migrations.md. */
export interface Migration {
  /** Identifies it in every database for ever. */
  name: string
  /** Version of the data once it has finished. Grows in the order of the list; older code refuses the data from then on. */
  dataVersion: number
  collection: string
  /**
   * Selects the documents to change; those that were changed no longer match. Plain JSON: an older release reads it from the file upgrade.json of
   * this one and counts.
   */
  filter: Record<string, string | number | boolean | null>
  /** Documents of the collection that are read in one query: few enough that it ends long before its time limit. */
  pageSize: number
  /** As measured; for estimates. */
  documentsPerSecond: number
  /**
   * Changes documents that match. Run again, or by two processes at once, it has the same result. Older code must be able to read what it
   * writes, because older code starts again on data in which it has not finished. It neither counts a change nor writes to the audit trail:
   * those show that an Awaz has worked on the data since the restore point.
   */
  migrate(connection: DatabaseConnection, ids: Types.ObjectId[]): Promise<void>
}
