import { currentTimeMs } from './clock.ts'
import { openCatalog } from './storage/catalog.ts'
import { commandVariables, numberOption, requireKnownOptions, type Command } from './commands/command.ts'
import { bulkWrite } from './commands/command-bulk-write.ts'
import { findAndModify } from './commands/command-find-and-modify.ts'
import { catalogCommands } from './commands/commands-catalog.ts'
import { explain } from './commands/commands-explain.ts'
import { readCommands } from './commands/commands-read.ts'
import { serverCommands } from './commands/commands-server.ts'
import { writeCommands } from './commands/commands-write.ts'
import { createCursors, type CursorBatch } from './commands/cursors.ts'
import type { Database } from './storage/database.ts'
import { CommandError } from './errors.ts'
import { createRecorder, type Recording } from './recording/recorder.ts'
import { openStore, type Store } from './storage/store.ts'
import { sweepExpired } from './storage/ttl.ts'
import type { Document } from './bson/values.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  ...serverCommands,
  ...readCommands,
  ...writeCommands,
  findAndModify,
  bulkWrite,
  ...catalogCommands,
  explain,
}

/** Names of all commands. */
export function commandNames(): string[] {
  return Object.keys(COMMANDS).toSorted()
}

export type Reply = Document | CursorBatch

/** Runs commands one after another on one data file. */
export interface Engine {
  /**
   * Runs one command in the open group; its changes are durable only after commit.
   *
   * @throws GroupLostError when SQLite gave up the transaction and with it the commands before this one.
   */
  run(command: Document, connectionId: number): Reply
  /** Makes the group durable. @throws GroupLostError when nothing of the group was kept. */
  commit(): void
  /** Removes expired documents and cursors, and commits. */
  sweep(nowMs: number): void
  /** What was asked so far; undefined unless the engine was made to record. */
  recording(): Recording | undefined
  readonly store: Store
  close(): void
}

/** The transaction of the whole group is gone: every reply of the group has to be an error. */
export class GroupLostError extends Error {
  readonly reply: CommandError

  constructor(cause: unknown) {
    super('the transaction was rolled back', { cause })
    this.name = 'GroupLostError'
    this.reply = storageFailure(cause)
  }
}

interface EngineOptions {
  /** Keeps what is asked, for tests. */
  isRecording?: boolean
  /** Receives what no command can cause: a fault of the engine or of the disk. */
  onError?: (error: unknown) => void
}

export function createEngine(database: Database, options: EngineOptions = {}): Engine {
  const catalog = openCatalog(database)
  const store = openStore(database, catalog)
  const cursors = createCursors()
  const recorder = options.isRecording ? createRecorder(store) : undefined

  function execute(command: Document, connectionId: number): Reply {
    const [name = ''] = Object.keys(command)
    recorder?.record(name, command)
    const handler = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (!handler) throw new CommandError('CommandNotFound', `no such command: '${name}'`)
    requireKnownOptions(name, command, handler.options)
    const maxTimeMs = numberOption(command, 'maxTimeMS') ?? 0
    const now = new Date(currentTimeMs())
    const context = {
      command,
      database: String(command.$db ?? 'admin'),
      store,
      cursors,
      variables: commandVariables(command, now),
      deadline: maxTimeMs > 0 && name !== 'getMore' ? performance.now() + maxTimeMs : undefined,
      connectionId,
    }
    return handler.isWrite ? inSavepoint(() => handler.run(context)) : handler.run(context)
  }

  /** A command that fails leaves the group as it found it. */
  function inSavepoint(run: () => Reply): Reply {
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

  /** @throws GroupLostError when SQLite has no savepoint to go back to, as after an error of the disk. */
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
    database.rollback()
    catalog.reload()
    return new GroupLostError(cause)
  }

  return {
    store,
    run(command, connectionId) {
      try {
        return execute(command, connectionId)
      } catch (error) {
        if (error instanceof GroupLostError) throw error
        if (error instanceof CommandError) return error.toReply()
        options.onError?.(error)
        return storageFailure(error).toReply()
      }
    },
    commit() {
      try {
        database.commit()
      } catch (error) {
        throw lost(error)
      }
    },
    sweep(nowMs) {
      cursors.expire(nowMs)
      inSavepoint(() => ({ removed: sweepExpired(store, nowMs) }))
      this.commit()
    },
    recording: () => recorder?.report(),
    close: () => database.close(),
  }
}

function storageFailure(error: unknown): CommandError {
  const text = error instanceof Error ? error.message : String(error)
  if (/disk is full/.test(text)) return new CommandError('OutOfDiskSpace', 'the disk is full: nothing was written')
  return new CommandError('InternalError', text)
}
