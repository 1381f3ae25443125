import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { apiCoverageFolder, databaseRecordFolder } from '#testing/records.ts'

const root = dirname(dirname(import.meta.dirname))
/** Relative to the root of a checkout. */
const recordFolders = [apiCoverageFolder, databaseRecordFolder].map((path) => relative(root, path))
const listName = 'skipped-tests.json'

/** Where a run in another checkout lists the files with tests that did not run (testing/skipped-tests-list.ts), relative to its root. */
export const skippedTestsList = join('node_modules', '.awaz', listName)

/** Creates the folders for the records of a run in another checkout. */
export function createRecordFolders(checkout: string): void {
  for (const path of recordFolders) mkdirSync(join(checkout, path), { recursive: true })
}

/** Copies the records of a run in another checkout to a folder, with the list of the files that it ran only in part. */
export function exportRecords(checkout: string, folder: string): void {
  for (const path of recordFolders) copyAll(join(checkout, path), join(folder, basename(path)), '')
  copyFileSync(join(checkout, skippedTestsList), join(folder, listName))
}

/**
 * Adds kept records to those of a checkout, by default this one, and returns the files that were run only in part, or undefined if the
 * folder holds no list: the other checkout could not be created.
 */
export function importRecords(folder: string, checkout: string = root): string[] | undefined {
  if (!existsSync(join(folder, listName))) return undefined
  // Records are named after their process id, which may also occur in another root.
  for (const path of recordFolders) copyAll(join(folder, basename(path)), join(checkout, path), 'bare-')
  return JSON.parse(readFileSync(join(folder, listName), 'utf8')) as string[] // written by exportRecords
}

function copyAll(from: string, to: string, prefix: string) {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, `${prefix}${name}`))
}
