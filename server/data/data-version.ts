import { AppError } from '#contract/app-error.ts'
import { createSystemFactRepository } from './system/system-facts.ts'
import type { DatabaseConnection } from './connect.ts'

/**
 * Version of what is stored. It grows with each change after which older code would misread data that newer code has written; new fields that
 * older code ignores are no such change.
 */
export const dataVersion = 1
const factName = 'data_version'

/** Thrown where a newer Awaz has written to the database. */
export class NewerDataError extends AppError {
  override name = 'NewerDataError'
  constructor(stored: number) {
    super('conflict', `The data was written by a newer Awaz (data version ${stored}, this one knows ${dataVersion}).`, {
      help: 'Start the newer one again, or restore a backup from before the upgrade.',
    })
  }
}

/** Throws `NewerDataError` where the data is newer than this code. */
export async function assertKnownDataVersion(connection: DatabaseConnection): Promise<void> {
  await readDataVersion(connection)
}

/** Marks the data as this version's, from where on older code refuses it. Throws `NewerDataError` where it is newer than this code. */
export async function claimDataVersion(connection: DatabaseConnection): Promise<void> {
  const stored = await readDataVersion(connection)
  if (stored < dataVersion) await createSystemFactRepository(connection).set(factName, String(dataVersion))
}

/** Returns the version of the stored data; 0 where it is from before versions were stored. */
async function readDataVersion(connection: DatabaseConnection): Promise<number> {
  const stored = Number(await createSystemFactRepository(connection).find(factName))
  if (stored > dataVersion) throw new NewerDataError(stored)
  return stored
}
