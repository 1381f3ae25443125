import type { Stats } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { watch, type FSWatcher } from 'chokidar'
import { holdFollowerLease, releaseFollowerLease } from '#data/followers/follower-lease.ts'
import { newId } from '#data/ids.ts'
import { FolderProblem, settingsFile } from './folder-settings.ts'
import { doneFolder, failedFolder, problemFile, writeProblem } from './move-file.ts'
import { createRescan } from './rescan.ts'
import { createFolderTaker, type FolderDeps } from './take-folder.ts'

export interface WatchFolderOptions extends FolderDeps {
  /** A file is complete when its size has not changed for this long. */
  settleMs: number
  /** Looks at every file again and again: for network shares, which announce no changes. */
  isPolling: boolean
  /** How often all files are listed, for those whose notice was lost. Default: 30 s, or twice `settleMs`. */
  rescanMs?: number
}

/** Folders below that of the user or case that are looked at. */
const maxDepth = 4
/** How often the lease is renewed, and asked for where another server has it. */
const leaseIntervalMs = 3_000
/** How often files that could not be taken are tried again. */
const retryMs = 60_000
/** One batch does the work of so many files at most. */
const maxPerBatch = 100
/** Endings of files that programs rename when they are complete. */
const partialFile = /\.(part|partial|tmp|temp|crdownload|download|filepart)$|~$/i

/** Takes recordings in from a folder on the server until it is closed; of several servers one does. */
export async function startWatchFolder(options: WatchFolderOptions): Promise<{ close: () => Promise<void> }> {
  const { folder, connection, log, settleMs, rescanMs = Math.max(30_000, 2 * settleMs) } = options
  const lease = { name: 'watch-folder', holder: newId() }
  const stopping = new AbortController()
  const waiting = new Set<string>()
  const failed = new Set<string>()
  let wakeUp = new AbortController()
  await mkdir(folder, { recursive: true }).catch((err: unknown) => {
    log.error({ err, folder }, 'WATCH_DIR cannot be made; nothing is taken in until it is there')
  })
  const takeFolder = createFolderTaker(options, { signal: stopping.signal, holdLease })
  const watcher = watchFiles(options, {
    onFile(path) {
      waiting.add(path)
      // The recordings beside it, and in folders below, waited for it.
      if (basename(path) === settingsFile) retryFailed()
      wakeUp.abort()
    },
    onGone(path) {
      waiting.delete(path)
      failed.delete(path)
    },
  })
  const retryTimer = setInterval(retryFailed, retryMs)
  const listUnchanged = createRescan({ folder, maxDepth, isIgnored: (path) => isIgnored(relative(folder, path), true) })
  const rescanTimer = setInterval(() => void rescan(), rescanMs)

  async function rescan() {
    for (const path of await listUnchanged()) {
      if (!failed.has(path) && basename(path) !== settingsFile) waiting.add(path)
    }
    if (waiting.size > 0) wakeUp.abort()
  }

  function retryFailed() {
    for (const path of failed) waiting.add(path)
    failed.clear()
    wakeUp.abort()
  }

  async function holdLease(): Promise<boolean> {
    try {
      return (await holdFollowerLease(connection, lease)) !== null
    } catch (err) {
      log.warn({ err }, 'the watch folder waits for the database')
      return false
    }
  }

  async function run() {
    while (!stopping.signal.aborted) {
      wakeUp = new AbortController()
      const isHolder = await holdLease()
      if (isHolder && waiting.size > 0) await takeNext()
      else await rest(isHolder ? [stopping.signal, wakeUp.signal] : [stopping.signal])
    }
    await releaseFollowerLease(connection, lease).catch(() => undefined)
  }

  async function rest(signals: AbortSignal[]) {
    await sleep(leaseIntervalMs, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined)
  }

  /** Takes files of one folder. */
  async function takeNext() {
    const [next] = Map.groupBy([...waiting].toSorted(), dirname)
    if (!next) return
    const [path, all] = next
    const files = all.slice(0, maxPerBatch)
    for (const file of files) waiting.delete(file)
    const recordings = files.filter((file) => basename(file) !== settingsFile)
    if (recordings.length === 0) return
    try {
      const { again, later } = await takeFolder(path, recordings)
      for (const file of again) waiting.add(file)
      for (const file of later) failed.add(file)
    } catch (error) {
      for (const file of recordings) failed.add(file)
      if (error instanceof FolderProblem) await reportProblem(path, error)
      else log.warn({ err: error }, 'files of the watch folder could not be taken in; they are tried again')
    }
  }

  /** Tells whoever looks into the folder why nothing is taken from it, and the log where that cannot be. */
  async function reportProblem(path: string, problem: FolderProblem) {
    await writeProblem(path, problem.message).catch((err: unknown) => {
      log.warn({ err, reason: problem.message }, 'a folder of the watch folder is not taken in')
    })
  }

  const running = run()
  return {
    async close() {
      stopping.abort()
      clearInterval(retryTimer)
      clearInterval(rescanTimer)
      await watcher.close()
      await running
    },
  }
}

interface FileListeners {
  /** A file is complete, or has changed. */
  onFile: (path: string) => void
  onGone: (path: string) => void
}

function watchFiles(
  { folder, settleMs, isPolling, log }: Pick<WatchFolderOptions, 'folder' | 'settleMs' | 'isPolling' | 'log'>,
  { onFile, onGone }: FileListeners,
): FSWatcher {
  const watcher = watch(folder, {
    ignored: (path: string, stats?: Stats) => isIgnored(relative(folder, path), stats?.isFile() ?? false),
    depth: maxDepth,
    followSymlinks: false,
    ignorePermissionErrors: true,
    usePolling: isPolling,
    interval: Math.max(100, settleMs / 2),
    awaitWriteFinish: { stabilityThreshold: settleMs, pollInterval: Math.max(50, settleMs / 5) },
  })
  watcher.on('error', (err) => log.warn({ err }, 'the watch folder cannot be watched'))
  watcher.on('add', onFile)
  watcher.on('change', onFile)
  watcher.on('unlink', onGone)
  return watcher
}

/** Hidden files, files that a program is still writing, and what Awaz itself put there. `path` is relative to the watched folder. */
function isIgnored(path: string, isFile: boolean): boolean {
  const parts = path.split(sep)
  const name = parts.at(-1) ?? ''
  if (parts.some((part) => part.startsWith('.') || part === doneFolder || part === failedFolder)) return true
  return isFile && (partialFile.test(name) || name === problemFile)
}
