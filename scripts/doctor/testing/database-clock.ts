import { rename, writeFile } from 'node:fs/promises'

/** Shifts the clock of an embedded database. Written to a second file and renamed: the database must never read half a number. */
export async function setDatabaseTime(clockFile: string, offsetMs: number): Promise<void> {
  await writeFile(`${clockFile}.new`, String(offsetMs))
  await rename(`${clockFile}.new`, clockFile)
}
