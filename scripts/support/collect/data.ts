import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readDataVersion } from '#data/data-version.ts'
import { countDocuments } from '#data/health/collection-counts.ts'
import { fields, flag, listOf, moment, number, oneOf, pattern } from '../allow-list.ts'
import { objectFile, type SupportFile } from '../archive.ts'

/** Returns what the database holds in numbers, and when backups were last made and rehearsed. */
export async function describeData(config: Config, connection: DatabaseConnection): Promise<SupportFile> {
  const events = createAuditEventRepository(connection)
  const value = {
    database: config.mongodbUri === undefined ? 'embedded' : 'mongodb',
    data_version: await readDataVersion(connection),
    documents: await countDocuments(connection),
    backups: {
      last_success: await events.findLastTime('backup.create', 'success'),
      last_failure: await events.findLastTime('backup.create', 'failure'),
      last_rehearsal: await events.findLastTime('backup.rehearse', 'success'),
      last_failed_rehearsal: await events.findLastTime('backup.rehearse', 'failure'),
      has_folder: config.backup.folder !== undefined,
    },
  }
  const shapes = {
    database: oneOf(['embedded', 'mongodb']),
    data_version: number,
    documents: listOf(fields({ collection: pattern(/[a-z_]{3,40}/), count: number })),
    backups: fields({
      last_success: moment,
      last_failure: moment,
      last_rehearsal: moment,
      last_failed_rehearsal: moment,
      has_folder: flag,
    }),
  }
  return objectFile('data', 'number of documents by collection; times of the last backup and rehearsal', shapes, value)
}
