import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const shared = join(dirname(dirname(import.meta.dirname)), 'shared')

/** Recordings of people and noise with transcripts, which are no part of the project: REAL_DATA_DIR, or beside the repository. */
export const realDataDir = process.env.REAL_DATA_DIR || join(shared, 'real-data')

/** Why the recordings cannot be used, or undefined when they are there. */
export function realDataAbsence(): string | undefined {
  if (existsSync(join(realDataDir, 'speech', 'manifest.tsv'))) return undefined
  return `There are no recordings of people at ${realDataDir} (REAL_DATA_DIR names another folder).`
}
