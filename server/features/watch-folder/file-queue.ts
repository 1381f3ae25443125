import type { ScannedFile, FolderScan } from './scan.ts'
import { keyOf, type PathComponents } from './names.ts'

/**
 * The outcome of a file that was handed out: it is in the library or was refused, and moved away; it is still changing; it was not begun;
 * or it is to be tried again later, for a reason that concerns only this file or its whole folder.
 */
export type IngestOutcome =
  | { name: Buffer; state: 'taken' | 'refused' | 'changing' | 'untouched' }
  | { name: Buffer; state: 'later'; reason: string | null }

/** Files of one folder whose turn has come. */
export interface FolderTurn {
  folder: PathComponents
  names: Buffer[]
}

export interface WaitingFile {
  folder: PathComponents
  name: Buffer
  /** Why it was not imported when that was attempted; null before the first attempt. */
  reason: string | null
}

interface KnownFile extends WaitingFile {
  state: string
  /** When it was first seen in this state. */
  since: number
  isSettled: boolean
  isGivenOut: boolean
  /** Whether it must be tried again immediately, even if the current attempt fails. */
  isRetryDue: boolean
  retryAt: number
}

interface FileQueueOptions {
  /** A file is complete when it has not changed for this long. */
  settleMs: number
  /** After this long, a file that could not be imported is handed out again. */
  retryMs: number
  /** Maximum number of files in one turn. */
  maxPerTurn: number
  /** In milliseconds, from a clock that is never set back. */
  now: () => number
}

export type FileQueue = ReturnType<typeof createFileQueue>

/** Creates the queue of waiting files. Files are handed out once complete, and the folders within the watched folder take turns. */
export function createFileQueue({ settleMs, retryMs, maxPerTurn, now }: FileQueueOptions) {
  /** By folder, then by name. */
  const folders = new Map<string, Map<string, KnownFile>>()
  const settings = new Map<string, string | undefined>()
  /** The number of the last turn, for folders within the watched folder and those below. */
  const turns = new Map<string, number>()
  let turn = 0

  /** Applies what a scan that began at `startedAt` has found. */
  function update(scan: FolderScan, startedAt: number): void {
    const found = new Set(scan.folders.map(({ path }) => keyOf(path)))
    for (const key of folders.keys()) if (!found.has(key)) updateFiles(key, [], [], startedAt)
    for (const known of [settings, turns]) for (const key of known.keys()) if (!found.has(key)) known.delete(key)
    for (const { path, files, settings: state } of scan.folders) {
      const key = keyOf(path)
      updateFiles(key, path, files, startedAt)
      // The recordings next to it, and in folders below, were waiting for it.
      if (settings.has(key) && settings.get(key) !== state) retry(path)
      settings.set(key, state)
    }
  }

  function updateFiles(key: string, folder: PathComponents, files: ScannedFile[], startedAt: number): void {
    const before = folders.get(key) ?? new Map<string, KnownFile>()
    const after = new Map([...before].filter(([, { isGivenOut }]) => isGivenOut))
    for (const { name, state } of files) {
      const nameKey = keyOf([name])
      const known = before.get(nameKey)
      if (known?.state === state) {
        known.isSettled ||= startedAt - known.since >= settleMs
        after.set(nameKey, known)
      } else if (!known?.isGivenOut) {
        after.set(nameKey, toNewFile({ folder, name, state, since: now() }))
      }
    }
    if (after.size > 0) folders.set(key, after)
    else folders.delete(key)
  }

  /** Makes the files of a folder, and of those below, available again immediately. */
  function retry(path: PathComponents): void {
    for (const known of list()) {
      if (!isBelow(known.folder, path)) continue
      known.retryAt = 0
      known.isRetryDue = known.isGivenOut
    }
  }

  /** Returns files of the folder whose last turn was longest ago; undefined if no file is complete. */
  function next(): FolderTurn | undefined {
    const ready = Map.groupBy(list().filter(isReady), ({ folder }) => keyOf(folder))
    const [first] = [...ready].toSorted(
      ([a], [b]) => lastTurn(topOf(a)) - lastTurn(topOf(b)) || lastTurn(a) - lastTurn(b),
    )
    if (!first) return undefined
    const [key, all] = first
    turn += 1
    turns.set(topOf(key), turn)
    turns.set(key, turn)
    const files = all.slice(0, maxPerTurn)
    for (const file of files) file.isGivenOut = true
    return { folder: files[0]?.folder ?? [], names: files.map(({ name }) => name) }
  }

  /** Takes back what `next` handed out. */
  function settle({ folder }: Pick<FolderTurn, 'folder'>, outcomes: IngestOutcome[]): void {
    const files = folders.get(keyOf(folder))
    for (const outcome of outcomes) {
      const nameKey = keyOf([outcome.name])
      const known = files?.get(nameKey)
      if (!known) continue
      known.isGivenOut = false
      if (outcome.state === 'taken' || outcome.state === 'refused') files?.delete(nameKey)
      if (outcome.state === 'changing') Object.assign(known, { isSettled: false, since: now() })
      const retryAt = known.isRetryDue ? 0 : now() + retryMs
      if (outcome.state === 'later') Object.assign(known, { retryAt, reason: outcome.reason })
      known.isRetryDue = false
    }
  }

  /** Returns whether another folder within the watched folder has complete files. */
  function isAnotherWaiting({ folder }: Pick<FolderTurn, 'folder'>): boolean {
    const own = topOf(keyOf(folder))
    return list().some((known) => isReady(known) && topOf(keyOf(known.folder)) !== own)
  }

  function isReady({ isSettled, isGivenOut, retryAt }: KnownFile): boolean {
    return isSettled && !isGivenOut && retryAt <= now()
  }

  function lastTurn(key: string): number {
    return turns.get(key) ?? 0
  }

  function list(): KnownFile[] {
    return [...folders.values()].flatMap((files) => [...files.values()])
  }

  return {
    update,
    next,
    settle,
    retry,
    isAnotherWaiting,
    hasReady: () => list().some(isReady),
    list: (): WaitingFile[] => list(),
    /** Forgets everything, for example when another server takes over. */
    clear: () => folders.clear(),
  }
}

function toNewFile(seen: Pick<KnownFile, 'folder' | 'name' | 'state' | 'since'>): KnownFile {
  return { ...seen, isSettled: false, isGivenOut: false, isRetryDue: false, retryAt: 0, reason: null }
}

/** Returns the key of the top folder within the watched folder. */
function topOf(key: string): string {
  return key.split('/', 1)[0] ?? ''
}

function isBelow(folder: PathComponents, ancestor: PathComponents): boolean {
  return ancestor.every((name, index) => folder[index]?.equals(name))
}
