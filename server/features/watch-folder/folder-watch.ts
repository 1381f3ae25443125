import type { Logger } from 'pino'
import { listWatchFolders, type WatchFolderRecord } from '#data/watch-folders/watch-folders.ts'
import { describeFailure } from './describe-failure.ts'
import { FolderProblem } from './folder-problem.ts'
import { createFolderStates } from './folder-states.ts'
import { createFileQueue, type FolderTurn } from './file-queue.ts'
import { writeProblem } from './move-file.ts'
import { keyOf, type PathComponents, isDecodable } from './names.ts'
import { FolderHandle, withFolders } from './folder-handle.ts'
import { scanFolder, type ScanProblem } from './scan.ts'
import { createFolderIngester, type IngestFolderDeps } from './ingest-folder.ts'
import { bindFolder, type BindingDeps } from './bindings.ts'

/** One batch covers at most this many files. */
const maxPerTurn = 100
/** While files of another folder are waiting, a turn ends after this many files, or after this much time. */
const sharedTurn = { maxFiles: 25, maxMs: 10_000 }

export interface FolderWatchOptions extends IngestFolderDeps {
  /** An absolute path. Each folder within it must have a user's e-mail address or a case as its name when first seen. */
  folder: string
  /** A file is complete when it has not changed for this long. */
  settleMs: number
  /** After this long, a file that could not be imported is tried again. */
  retryMs: number
}

interface WatchDeps {
  signal: AbortSignal
  /** Returns whether this server is the one importing files. */
  holdLease: () => Promise<boolean>
}

/** Each failed look-up of a name searches through the cases: the interval between attempts doubles up to this many times the first. */
const maxBackOff = 8

interface BinderOptions {
  /** Stops the binding of many folders. */
  signal: AbortSignal
  /** After this long, a folder that could not be bound is looked up again, then less and less often. */
  retryMs: number
  /** In milliseconds, from a clock that is never set back. */
  now?: () => number
  /** Called for a folder that has been bound, or bound to a different recipient, since the last time. */
  onBound: (path: PathComponents) => void
}

/** Creates what scans the watched folder and imports the files of one folder at a time. */
export function createFolderWatch(options: FolderWatchOptions, { signal, holdLease }: WatchDeps) {
  const { folder: root, connection, log, settleMs, retryMs } = options
  const fileQueue = createFileQueue({ settleMs, retryMs, maxPerTurn, now: () => performance.now() })
  const states = createFolderStates(connection)
  const takenAt = new Map<string, Date>()
  // Files that were waiting for this binding, or for another recipient, need not wait any longer.
  const binder = createFolderBinder(options, { signal, retryMs, onBound: fileQueue.retry })
  /** Why nothing was imported from a folder at its last turn. */
  const refused = new Map<string, ScanProblem>()
  /** Why the watched folder itself could not be read last time. */
  let obstacle: string | undefined
  let turnBeganAt = 0
  const ingestFolder = createFolderIngester(options, { signal, canContinue })

  async function canContinue(turn: FolderTurn, taken: number): Promise<boolean> {
    if (!(await holdLease())) return false
    const isLong = taken >= sharedTurn.maxFiles || performance.now() - turnBeganAt >= sharedTurn.maxMs
    return taken === 0 || !isLong || !fileQueue.isAnotherWaiting(turn)
  }

  /**
   * Lists all files, binds new folders, and stores what people must know. Returns how long the listing took. Throws the signal's reason
   * once that aborts.
   */
  async function scan(): Promise<number> {
    const known = await listWatchFolders(connection)
    const startedAt = performance.now()
    const found = await withRoot((folder) => scanFolder(folder, signal)).catch((error: unknown) => {
      signal.throwIfAborted()
      return describeFailure(error)
    })
    const listingMs = performance.now() - startedAt
    if (typeof found === 'string') {
      const reason = `Awaz cannot look into ${root}. ${found}`
      if (reason !== obstacle) log.warn({ reason }, 'the watch folder cannot be looked through')
      obstacle = reason
      await states.save({ folders: undefined, files: [], problems: [{ path: [], reason }], takenAt }, known)
      return listingMs
    }
    obstacle = undefined
    fileQueue.update(found, startedAt)
    const tops = found.folders.flatMap(({ path }) => (path.length === 1 ? path : []))
    await binder.bindAll(tops, known)
    const files = fileQueue.list()
    dropMissing(
      takenAt,
      tops.map((top) => keyOf([top])),
    )
    dropMissing(
      refused,
      files.map(({ folder }) => keyOf(folder)),
    )
    const others = [...refused.values()].filter((problem) => !binder.isKnownProblem(problem))
    const problems = [...found.problems, ...binder.listProblems(), ...others]
    await states.save({ folders: tops, files, problems, takenAt }, known)
    return listingMs
  }

  /** Imports files of the folder whose turn it is. Returns false if no file is complete. */
  async function ingestNext(): Promise<boolean> {
    const turn = fileQueue.next()
    if (!turn) return false
    turnBeganAt = performance.now()
    const key = keyOf(turn.folder)
    try {
      const outcomes = await withRoot((folder) => ingestFolder(folder, turn))
      fileQueue.settle(turn, outcomes)
      refused.delete(key)
      if (outcomes.some(({ state }) => state === 'taken')) takenAt.set(keyOf(turn.folder.slice(0, 1)), new Date())
    } catch (error) {
      const later = turn.names.map((name) => ({ name, state: 'later' as const, reason: null }))
      fileQueue.settle(turn, later)
      refused.set(key, { path: turn.folder, reason: describeFailure(error) })
      if (error instanceof FolderProblem) await reportProblem(turn.folder, error)
      else log.warn({ err: error }, 'files of the watch folder could not be imported; they are tried again')
    }
    return true
  }

  /** Leaves a note in the folder, for people who look there, saying why nothing is imported from it; logs it if that is impossible. */
  async function reportProblem(path: PathComponents, problem: FolderProblem) {
    try {
      await withRoot((folder) =>
        withFolders(folder, path, (folders) => writeProblem(folders.at(-1) ?? folder, problem.message)),
      )
    } catch (err) {
      log.warn({ err, reason: problem.message }, 'a folder of the watch folder is not imported')
    }
  }

  async function withRoot<T>(use: (folder: FolderHandle) => Promise<T>): Promise<T> {
    const folder = await FolderHandle.open(root)
    return await use(folder).finally(() => folder.close())
  }

  function forget(): void {
    fileQueue.clear()
    states.clear()
  }

  return { scan, ingestNext, forget }
}

function dropMissing(known: Map<string, unknown>, present: string[]): void {
  const keys = new Set(present)
  for (const key of known.keys()) if (!keys.has(key)) known.delete(key)
}

/** Creates what binds the folders within the watched folder when first seen, and remembers why some cannot be bound. */
export function createFolderBinder(
  deps: BindingDeps & { log: Logger },
  { signal, retryMs, now = () => performance.now(), onBound }: BinderOptions,
) {
  const unbound = new Map<string, ScanProblem & { attempts: number; retryAt: number }>()
  /** Ids of recipients, by folder. */
  const bound = new Map<string, string>()

  /** @param known the folders as currently stored */
  async function bindAll(names: Buffer[], known: WatchFolderRecord[]): Promise<void> {
    const stored = new Map(known.map(({ name, recipient }) => [name, recipient?.id]))
    for (const name of names) {
      signal.throwIfAborted()
      await bindOne(name, isDecodable(name) ? stored.get(name.toString('utf8')) : undefined)
    }
    const present = new Set(names.map((name) => keyOf([name])))
    for (const map of [unbound, bound]) for (const key of map.keys()) if (!present.has(key)) map.delete(key)
  }

  async function bindOne(name: Buffer, storedId: string | undefined): Promise<void> {
    const path = [name]
    const key = keyOf(path)
    const last = unbound.get(key)
    if (!storedId && last && now() < last.retryAt) return
    try {
      const id = storedId ?? (await bindFolder(deps, name)).id
      if (!storedId) deps.log.info({ recipientId: id }, 'a folder of the watch folder is bound from now on')
      unbound.delete(key)
      if (bound.get(key) !== id) onBound(path)
      bound.set(key, id)
    } catch (error) {
      const attempts = (last?.attempts ?? 0) + 1
      const retryAt = now() + retryMs * Math.min(maxBackOff, 2 ** (attempts - 1))
      unbound.set(key, { path, reason: describeFailure(error), attempts, retryAt })
    }
  }

  return {
    bindAll,
    /** Returns why folders are not bound. */
    listProblems: (): ScanProblem[] => [...unbound.values()],
    /** Returns whether a problem below a folder is merely that the folder is not bound. */
    isKnownProblem: ({ path, reason }: ScanProblem) => unbound.get(keyOf(path.slice(0, 1)))?.reason === reason,
  }
}
