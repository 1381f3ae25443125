import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'node_modules', '.awaz')

/** The folder where the test servers of a complete run record the outcomes of the calls that they receive. */
export const apiCoverageFolder = join(folder, 'api-coverage')

/** The folder where the embedded databases of a complete run record the commands that they receive (AWAZ_DB_RECORD_DIR). */
export const databaseRecordFolder = join(folder, 'db-recording')

/** Deletes the records of earlier runs. */
export function clearRecords(): void {
  for (const path of [apiCoverageFolder, databaseRecordFolder]) {
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { recursive: true })
  }
}

/** Lists the records of the calls that test servers received. */
export function listApiRecords(): string[] {
  return readdirSync(apiCoverageFolder).map((name) => join(apiCoverageFolder, name))
}
