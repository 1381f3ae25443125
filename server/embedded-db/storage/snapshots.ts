import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandError } from '../errors.ts'
import { storageFailure } from '../group.ts'
import type { Database } from './database.ts'

export interface SnapshotStatus {
  isDone: boolean
  copiedPages: number
  totalPages: number
  /** The copy of the data file; complete once `isDone`. */
  file: string
}

/** Consistent copies of the data file, made while commands run. */
export interface DatabaseSnapshots {
  /**
   * Starts a copy next to the data file and returns its id. The copy has the state at the time at which it ends.
   *
   * @throws OutOfDiskSpace, or ConflictingOperationInProgress while another copy is being made or read
   */
  start(): string
  /** @throws NamespaceNotFound for an unknown id, and the error that ended the copy */
  status(id: string): SnapshotStatus
  /** Stops a copy and deletes its file; harmless when repeated. */
  drop(id: string): void
  /** Stops the copy in progress. */
  close(): void
}

/** Space left free in addition to a copy, for the data file and for recordings: 512 MiB. */
const reserveBytes = 512 * 1024 * 1024
/** A copy whose client has disappeared is abandoned after this time. */
const abandonedAfterMs = 15_000

interface Copy extends SnapshotStatus {
  id: string
  lastPolledAtMs: number
  isDropped: boolean
  failure?: unknown
}

/** Opens the snapshots of a data file and deletes copies left behind by an earlier process. */
export function openSnapshots(database: Database): DatabaseSnapshots {
  removeCopies(database.file)
  let current: Copy | undefined

  function find(id: string): Copy {
    if (current?.id === id && !current.isDropped) return current
    throw new CommandError('NamespaceNotFound', `there is no snapshot ${id}`)
  }

  function drop(id: string): void {
    if (current?.id !== id) return
    current.isDropped = true
    removeCopy(current.file)
  }

  return {
    start() {
      if (current && isInUse(current)) {
        throw new CommandError('ConflictingOperationInProgress', 'another snapshot is being made')
      }
      assertSpace(database.file)
      if (current) drop(current.id)
      const id = randomUUID()
      const file = `${database.file}.snapshot-${id}`
      current = { id, file, isDone: false, copiedPages: 0, totalPages: 0, isDropped: false, lastPolledAtMs: Date.now() }
      void run(database, current)
      return id
    },
    status(id) {
      const copy = find(id)
      copy.lastPolledAtMs = Date.now()
      if (copy.failure !== undefined) throw storageFailure(copy.failure)
      const { isDone, copiedPages, totalPages, file } = copy
      return { isDone, copiedPages, totalPages, file }
    },
    drop,
    close() {
      if (current) drop(current.id)
    },
  }
}

/** Returns whether a copy is in progress, or is complete and may still be read by its client. */
function isInUse({ isDone, isDropped, failure, lastPolledAtMs }: Copy): boolean {
  if (isDropped || failure !== undefined) return false
  return !isDone || Date.now() - lastPolledAtMs <= abandonedAfterMs
}

async function run(database: Database, copy: Copy): Promise<void> {
  try {
    await database.copyTo(copy.file, (copiedPages, totalPages) => {
      Object.assign(copy, { copiedPages, totalPages })
      if (copy.isDropped || Date.now() - copy.lastPolledAtMs > abandonedAfterMs)
        throw new Error('the snapshot was given up')
    })
    copy.isDone = true
  } catch (error) {
    copy.failure = error
  }
  if (copy.isDropped || copy.failure !== undefined) removeCopy(copy.file)
}

function assertSpace(dataFile: string): void {
  const { bavail, bsize } = statfsSync(dirname(dataFile))
  const neededBytes = statSync(dataFile).size + reserveBytes
  if (bavail * bsize >= neededBytes) return
  const message = `a copy of the database needs ${Math.ceil(neededBytes / 2 ** 20)} MiB of free disk space`
  throw new CommandError('OutOfDiskSpace', message)
}

function removeCopies(dataFile: string): void {
  const prefix = `${basename(dataFile)}.snapshot-`
  for (const name of readdirSync(dirname(dataFile))) {
    if (name.startsWith(prefix)) rmSync(join(dirname(dataFile), name), { force: true })
  }
}

/** SQLite keeps a journal next to a copy that is being written. */
function removeCopy(file: string): void {
  for (const path of [file, `${file}-journal`]) rmSync(path, { force: true })
}
