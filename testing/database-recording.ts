import { join } from 'node:path'

/** Where the embedded databases of a whole test run leave what they were asked (AWAZ_DB_RECORD_DIR). */
export const databaseRecordFolder = join(import.meta.dirname, '..', 'node_modules', '.awaz', 'db-recording')
