import { join } from 'node:path'

/** The folder in which the embedded databases of a complete test run record the commands that they receive (AWAZ_DB_RECORD_DIR). */
export const databaseRecordFolder = join(import.meta.dirname, '..', 'node_modules', '.awaz', 'db-recording')
