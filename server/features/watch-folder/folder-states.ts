import type { DatabaseConnection } from '#data/connect.ts'
import {
  forgetUnboundWatchFolder,
  saveWatchFolderState,
  watchedFolderName,
  type WatchFolderRecord,
  type WatchFolderState,
} from '#data/watch-folders/watch-folders.ts'
import type { WaitingFile } from './file-queue.ts'
import { decodePath, isDecodable, keyOf, type PathComponents } from './names.ts'
import type { ScanProblem } from './scan.ts'

/** What must be reported about the watched folder. */
export interface WatchFolderFindings {
  /** Folders within the watched folder; undefined if it cannot be read. */
  folders: Buffer[] | undefined
  files: WaitingFile[]
  problems: ScanProblem[]
  /** When a file was last imported, by the key of the folder. */
  takenAt: Map<string, Date>
}

/** Maximum number of problems stored for one folder. */
const maxProblems = 20
/** The state of the watched folder is stored at least this often, so that people can see that it is being watched. */
const maxSilenceMs = 5_000

/** Stores what people must know about each folder, for the administration page, whenever it changes. */
export function createFolderStates(connection: DatabaseConnection) {
  /** The states as last stored, by name. */
  const stored = new Map<string, string>()
  let storedAt = -Infinity

  /** @param known the folders as currently stored */
  async function save(findings: WatchFolderFindings, known: WatchFolderRecord[]): Promise<void> {
    const states = describe(findings)
    if (performance.now() - storedAt >= maxSilenceMs) stored.delete(watchedFolderName)
    for (const [name, state] of states) {
      const text = JSON.stringify(state)
      if (stored.get(name) === text) continue
      await saveWatchFolderState(connection, name, state)
      stored.set(name, text)
      if (name === watchedFolderName) storedAt = performance.now()
    }
    if (!findings.folders) return
    for (const { name, isPresent, recipient } of known) {
      if (states.has(name)) continue
      stored.delete(name)
      if (!recipient) await forgetUnboundWatchFolder(connection, name)
      else if (isPresent) await saveWatchFolderState(connection, name, { ...nothing, isPresent: false })
    }
  }

  return { save, clear: () => stored.clear() }
}

const nothing = { isPresent: true, waiting: 0, problems: [], problemCount: 0 }

function describe({ folders = [], files, problems, takenAt }: WatchFolderFindings): Map<string, WatchFolderState> {
  const filesBy = Map.groupBy(files, ({ folder }) => nameOf(folder))
  const problemsBy = Map.groupBy([...problems, ...files.flatMap(toProblem)], ({ path }) => nameOf(path))
  const paths = [[], ...folders.filter(isDecodable).map((name) => [name])]
  return new Map(
    paths.map((path) => {
      const name = nameOf(path)
      const own = problemsBy.get(name) ?? []
      const lastTakenAt = takenAt.get(keyOf(path))
      const state = {
        isPresent: true,
        waiting: filesBy.get(name)?.length ?? 0,
        problems: own.slice(0, maxProblems).map(({ path, reason }) => ({ path: describePath(path), reason })),
        problemCount: own.length,
        ...(lastTakenAt && { lastTakenAt }),
      }
      return [name, state]
    }),
  )
}

function toProblem({ folder, name, reason }: WaitingFile): ScanProblem[] {
  return reason === null ? [] : [{ path: [...folder, name], reason }]
}

/**
 * Returns the name under which information about a path is stored: anything that cannot be bound counts towards the watched folder itself.
 */
function nameOf([top]: PathComponents): string {
  return top && isDecodable(top) ? top.toString('utf8') : watchedFolderName
}

/** Formats a path for people, relative to the folder for which it is reported. */
function describePath(path: PathComponents): string {
  return decodePath(path.slice(nameOf(path) === watchedFolderName ? 0 : 1))
}
