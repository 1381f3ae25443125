import { currentTimeMs } from './clock.ts'
import { openCatalog } from './storage/catalog.ts'
import { addMissingChecksums } from './storage/missing-checksums.ts'
import { commandVariables, numberOption, requireKnownOptions, type Command } from './commands/command.ts'
import { bulkWrite } from './commands/command-bulk-write.ts'
import { findAndModify } from './commands/command-find-and-modify.ts'
import { catalogCommands } from './commands/commands-catalog.ts'
import { explain } from './commands/commands-explain.ts'
import { readCommands } from './commands/commands-read.ts'
import { serverCommands } from './commands/commands-server.ts'
import { fileCommands } from './commands/commands-file.ts'
import { writeCommands } from './commands/commands-write.ts'
import { createCursors, type CursorBatch } from './commands/cursors.ts'
import type { Database } from './storage/database.ts'
import { CommandError } from './errors.ts'
import { createGroup, diskFullError, GroupLostError, isDiskFull, storageFailure } from './group.ts'
import { createRecorder, type Recording } from './recording/recorder.ts'
import { isSteps, type Steps } from './steps.ts'
import type { DiskReserve } from './storage/reserve.ts'
import { createFileCheck } from './storage/file-check.ts'
import { openSnapshots } from './storage/snapshots.ts'
import { openStore, type Store } from './storage/store.ts'
import { sweepExpired } from './storage/ttl.ts'
import type { Document } from './bson/values.ts'

const commandsByName: Readonly<Record<string, Command>> = {
  ...serverCommands,
  ...readCommands,
  ...writeCommands,
  findAndModify,
  bulkWrite,
  ...catalogCommands,
  explain,
  ...fileCommands,
}

/** On a full disk, the reserve is kept for deletions and for changes up to this size. */
const maxLowBytes = 16 * 1024
const growingCommands = new Set(['insert', 'update', 'findAndModify', 'bulkWrite'])

/** Names of all commands. */
export function commandNames(): string[] {
  return Object.keys(commandsByName).toSorted()
}

export type Reply = Document | CursorBatch

/** A running command. Between two calls of `advance`, other commands may run and the group may be committed. */
export interface Work {
  /** Whether this can only start when no other work is suspended. */
  readonly isExclusive: boolean
  /**
   * Continues until there is a reply, or until a time of performance.now(), and then returns undefined. Changes are durable only after
   * a commit.
   *
   * @throws GroupLostError when SQLite gave up the transaction and with it the commands before this one.
   */
  advance(untilMs: number): Reply | undefined
}

/** Runs commands sequentially on one data file. */
export interface Engine {
  /** Starts a command in the open group. `sizeBytes` is its size on the wire. */
  start(command: Document, connectionId: number, sizeBytes?: number): Work
  /** Runs one command to its end. @throws GroupLostError as Work.advance does */
  run(command: Document, connectionId: number): Reply
  /** Commits the group. @throws GroupLostError when no part of the group was committed. */
  commit(): void
  /** Starts removing expired documents and cursors, adding missing checksums, and returning free pages to the disk. */
  startSweep(nowMs: number): Work
  /** Starts looking for damage in the data file. */
  startFileCheck(): Work
  /** Returns the recording so far; undefined unless the engine is recording. */
  recording(): Recording | undefined
  /** Empties the write-ahead log, which still contains deleted data. Only after a commit. */
  truncateLog(): void
  readonly store: Store
  close(): void
}

interface EngineOptions {
  /** Records commands, for tests. */
  isRecording?: boolean
  /** Disk space that is released when the disk is full. */
  reserve?: DiskReserve
  /** Receives errors that no command can cause: errors of the engine or of the disk. */
  onError?: (error: unknown) => void
}

export function createEngine(database: Database, options: EngineOptions = {}): Engine {
  const catalog = openCatalog(database)
  const store = openStore(database, catalog)
  const cursors = createCursors()
  const snapshots = openSnapshots(database)
  const fileCheck = createFileCheck(database)
  const group = createGroup(database, catalog, options.reserve)
  const recorder = options.isRecording ? createRecorder(store) : undefined

  function begin(command: Document, connectionId: number): { isWrite: boolean; run: () => Reply | Steps<Reply> } {
    const [name = ''] = Object.keys(command)
    recorder?.record(name, command)
    const handler = commandNamed(name)
    if (!handler) throw new CommandError('CommandNotFound', `no such command: '${name}'`)
    requireKnownOptions(name, command, handler.options)
    const maxTimeMs = numberOption(command, 'maxTimeMS') ?? 0
    const now = new Date(currentTimeMs())
    const context = {
      command,
      database: String(command.$db ?? 'admin'),
      store,
      snapshots,
      fileCheck,
      cursors,
      variables: commandVariables(command, now),
      deadline: maxTimeMs > 0 && name !== 'getMore' ? performance.now() + maxTimeMs : undefined,
      connectionId,
    }
    return { isWrite: handler.isWrite, run: () => handler.run(context) }
  }

  /** Creates work that starts with the first `advance` and ends with a reply, even if it fails. */
  function work(isExclusive: boolean, open: () => { isWrite: boolean; run: () => Reply | Steps<Reply> }): Work {
    let steps: Steps<Reply> | undefined
    let isWrite = false

    function goOn(run: () => Reply | Steps<Reply>, untilMs: number): Reply | undefined {
      const result = steps ?? run()
      if (!isSteps(result)) return result
      steps = result
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return step.value
        if (performance.now() < untilMs) continue
        store.suspend()
        return undefined
      }
    }

    let run: (() => Reply | Steps<Reply>) | undefined
    return {
      isExclusive,
      advance(untilMs) {
        try {
          if (!run) ({ run, isWrite } = open())
          const begun = run
          return isWrite ? group.inSavepoint(() => goOn(begun, untilMs)) : goOn(begun, untilMs)
        } catch (error) {
          if (error instanceof GroupLostError) throw error
          if (error instanceof CommandError) return error.toReply()
          options.onError?.(error)
          fileCheck.record(error)
          if (isDiskFull(error)) options.reserve?.release()
          return storageFailure(error).toReply()
        }
      },
    }
  }

  function start(command: Document, connectionId: number, sizeBytes = 0): Work {
    const [name = ''] = Object.keys(command)
    return work(commandNamed(name)?.isExclusive === true, () => {
      if (options.reserve?.isLow && sizeBytes > maxLowBytes && growingCommands.has(name)) throw diskFullError()
      return begin(command, connectionId)
    })
  }

  function* sweep(nowMs: number): Steps<Reply> {
    const removed = yield* sweepExpired(store, nowMs)
    yield* addMissingChecksums(database, catalog)
    yield* database.giveBackFreePages()
    return { removed, ok: 1 }
  }

  function* checkFile(): Steps<Reply> {
    yield* fileCheck.run()
    return { ...fileCheck.status(), ok: 1 }
  }

  return {
    store,
    start,
    run(command, connectionId) {
      return start(command, connectionId).advance(Number.POSITIVE_INFINITY) ?? noReply()
    },
    commit: group.commit,
    startSweep(nowMs) {
      options.reserve?.refill()
      cursors.expire(nowMs)
      return work(false, () => ({ isWrite: true, run: () => sweep(nowMs) }))
    },
    startFileCheck: () => work(false, () => ({ isWrite: false, run: checkFile })),
    recording: () => recorder?.report(),
    truncateLog: () => database.truncateLog(),
    close() {
      snapshots.close()
      database.close()
    },
  }
}

function commandNamed(name: string): Command | undefined {
  return Object.hasOwn(commandsByName, name) ? commandsByName[name] : undefined
}

function noReply(): never {
  throw new Error('work that had all the time ended without a reply')
}
