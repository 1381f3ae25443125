import { CommandError } from './errors.ts'
import type { Catalog } from './storage/catalog.ts'
import type { Database } from './storage/database.ts'
import type { DiskReserve } from './storage/reserve.ts'

/** Thrown when the transaction of the whole group was rolled back: every reply of the group must be an error. */
export class GroupLostError extends Error {
  readonly reply: CommandError

  constructor(cause: unknown) {
    super('the transaction was rolled back', { cause })
    this.name = 'GroupLostError'
    this.reply = storageFailure(cause)
  }
}

/** The transaction that all commands of a group share. */
export interface CommandGroup {
  /**
   * Runs a part of a command; if it fails, the group is restored to its state before.
   *
   * @throws GroupLostError when SQLite gave up the transaction and with it the commands before this one.
   */
  inSavepoint<Result>(run: () => Result): Result
  /** Commits the group. @throws GroupLostError when no part of the group was committed. */
  commit(): void
}

export function createGroup(database: Database, catalog: Catalog, reserve: DiskReserve | undefined): CommandGroup {
  function inSavepoint<Result>(run: () => Result): Result {
    try {
      database.begin()
      database.execute('SAVEPOINT command')
    } catch (error) {
      throw lost(error)
    }
    try {
      const reply = run()
      database.execute('RELEASE command')
      return reply
    } catch (error) {
      undoCommand(error)
      throw error
    }
  }

  /** @throws GroupLostError when SQLite has no savepoint to roll back to, for example after a disk error. */
  function undoCommand(cause: unknown): void {
    if (!database.isInTransaction) throw lost(cause)
    try {
      database.execute('ROLLBACK TO command')
      database.execute('RELEASE command')
    } catch (error) {
      throw lost(error)
    }
    catalog.reload()
  }

  function lost(cause: unknown): GroupLostError {
    if (isDiskFull(cause)) reserve?.release()
    database.rollback()
    catalog.reload()
    return new GroupLostError(cause)
  }

  return {
    inSavepoint,
    commit() {
      try {
        database.commit()
      } catch (error) {
        throw lost(error)
      }
    },
  }
}

/** Returns the error to send to the client for an SQLite or disk error. */
export function storageFailure(error: unknown): CommandError {
  return isDiskFull(error) ? diskFullError() : new CommandError('InternalError', String(error))
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && error.message.includes('disk is full')
}

export function diskFullError(): CommandError {
  return new CommandError('OutOfDiskSpace', 'the disk is full: nothing was written')
}
