import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { apiCoverageFolder, databaseRecordFolder } from '#testing/records.ts'

const root = dirname(dirname(import.meta.dirname))
/** From the root of a checkout. */
const recordFolders = [apiCoverageFolder, databaseRecordFolder].map((path) => relative(root, path))
const listName = 'skipped-tests.json'

/** Where a run in another checkout writes the files of which a test did not run (testing/skipped-tests-list.ts), from its root. */
export const skippedTestsList = join('node_modules', '.awaz', listName)

/** Makes the folders in which a run in another checkout records. */
export function createRecordFolders(checkout: string): void {
  for (const path of recordFolders) mkdirSync(join(checkout, path), { recursive: true })
}

/** Copies what a run in another checkout recorded to a folder, and the list of the files that it ran in part. */
export function exportRecords(checkout: string, folder: string): void {
  for (const path of recordFolders) copyAll(join(checkout, path), join(folder, basename(path)), '')
  copyFileSync(join(checkout, skippedTestsList), join(folder, listName))
}

/**
 * Adds kept records to those of a checkout, by default this one, and returns the files that were run in part, or undefined when the folder
 * holds none: the other checkout could not be made.
 */
export function importRecords(folder: string, checkout: string = root): string[] | undefined {
  if (!existsSync(join(folder, listName))) return undefined
  // Records have the number of their process for a name, which another root has too.
  for (const path of recordFolders) copyAll(join(folder, basename(path)), join(checkout, path), 'bare-')
  return JSON.parse(readFileSync(join(folder, listName), 'utf8')) as string[] // by exportRecords
}

function copyAll(from: string, to: string, prefix: string) {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, `${prefix}${name}`))
}
