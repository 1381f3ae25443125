import { AppError } from '#contract/app-error.ts'
import { createSystemFactRepository } from './system/system-facts.ts'
import type { DatabaseConnection } from './connect.ts'
import { migrations } from './migrations/migrations.ts'

/**
 * Version of the stored data: that of the last migration. It grows with each change after which older code would misread data written by
 * newer code; new fields that older code ignores do not count.
 */
export const dataVersion = Math.max(...migrations.map((migration) => migration.dataVersion))
const factName = 'data_version'

/** Thrown where a newer Awaz has written to the database. */
export class NewerDataError extends AppError {
  override name = 'NewerDataError'
  constructor(stored: number) {
    super('conflict', `The data was written by a newer Awaz (data version ${stored}, this one knows ${dataVersion}).`, {
      help: 'Start the newer one again; or go back to the restore point that it made: `awaz upgrade --back`, or restore a backup.',
    })
  }
}

/** Throws `NewerDataError` where the data is newer than this code. */
export async function assertKnownDataVersion(connection: DatabaseConnection): Promise<void> {
  const stored = await readDataVersion(connection)
  if (stored > dataVersion) throw new NewerDataError(stored)
}

/** Marks the data as this version's; older code then rejects it. */
export async function claimDataVersion(connection: DatabaseConnection): Promise<void> {
  await assertKnownDataVersion(connection)
  await createSystemFactRepository(connection).set(factName, String(dataVersion))
}

/** Returns the version of the stored data; 0 where it is from before versions were stored. */
export async function readDataVersion(connection: DatabaseConnection): Promise<number> {
  return Number(await createSystemFactRepository(connection).find(factName))
}
