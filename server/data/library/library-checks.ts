import { LibraryCheck, type LibraryRepairs } from '#contract/entities/library-check.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { createSystemFactRepository } from '../system/system-facts.ts'

const factName = 'library-check'

/** Returns the last check of the library; null before the first. */
export async function readLibraryCheck(connection: DatabaseConnection): Promise<LibraryCheck | null> {
  const stored = await createSystemFactRepository(connection).find(factName)
  return stored === null ? null : (LibraryCheck.safeParse(parseJson(stored)).data ?? null)
}

/** Stores the findings of a check, replacing those of the last one. */
export async function saveLibraryCheck(
  connection: DatabaseConnection,
  found: Pick<LibraryCheck, 'recordings' | 'repaired' | 'failed'>,
): Promise<void> {
  const before = await readLibraryCheck(connection)
  const check: LibraryCheck = {
    ...found,
    checked_at: (await readDatabaseTime(connection)).toISOString(),
    repaired_ever: (before?.repaired_ever ?? 0) + countRepairs(found.repaired),
  }
  await createSystemFactRepository(connection).set(factName, JSON.stringify(check))
}

/** Returns the total number of repairs. */
export function countRepairs(repaired: LibraryRepairs): number {
  return Object.values(repaired).reduce((sum, count) => sum + count, 0)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
