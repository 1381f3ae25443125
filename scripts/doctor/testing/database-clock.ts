import { rename, writeFile } from 'node:fs/promises'

/** Shifts the clock of an embedded database. Writes a second file and renames it, so that the database never reads half a number. */
export async function setDatabaseTime(clockFile: string, offsetMs: number): Promise<void> {
  await writeFile(`${clockFile}.new`, String(offsetMs))
  await rename(`${clockFile}.new`, clockFile)
}
