import { rmSync, statSync } from 'node:fs'
import { openCatalog } from './catalog.ts'
import { openDatabase } from './database.ts'
import { findProblems } from './integrity.ts'
import { openDataFile } from './read-data-file.ts'

/** Comparing indexes with documents takes memory in proportion to the file; larger files are compared only on request. */
const maxComparedBytes = 128 * 1024 * 1024
const maxProblems = 5

/**
 * Checks a copy of a data file, and may change the copy: pages, the order in tables and indexes, each document by its checksum, and each
 * index against the documents if the copy is small or `isThorough` is set. Returns one sentence per problem, at most 5.
 *
 * @throws the error of SQLite if it says nothing about the content, such as a full disk
 */
export function findCopyProblems(file: string, { isThorough }: { isThorough: boolean }): string[] {
  try {
    openDataFile(file).close()
    const comparesIndexes = isThorough || statSync(file).size <= maxComparedBytes
    const database = openDatabase(file)
    try {
      return findProblems(database, openCatalog(database), { comparesIndexes }).slice(0, maxProblems)
    } finally {
      database.close()
      for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    }
  } catch (error) {
    if (isOfDisk(error)) throw error
    return [error instanceof Error ? error.message : String(error)]
  }
}

/** SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY and SQLITE_NOMEM (sqlite.org, "Result and Error Codes"). */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && /disk is full|disk I\/O|unable to open|readonly|out of memory/.test(error.message)
}
