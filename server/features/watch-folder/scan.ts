import type { BigIntStats } from 'node:fs'
import type { FolderHandle } from './folder-handle.ts'
import { decodePath, isIgnored, isPartial, settingsFile, type PathComponents } from './names.ts'

export interface ScannedFile {
  name: Buffer
  /** Changes whenever the file has been written to. */
  state: string
}

export interface ScannedFolder {
  path: PathComponents
  files: ScannedFile[]
  /** The state of its settings file; undefined if it has none. */
  settings: string | undefined
}

/** Why something is skipped. */
export interface ScanProblem {
  path: PathComponents
  reason: string
}

export interface FolderScan {
  /** The watched folder itself comes first; its path is empty. */
  folders: ScannedFolder[]
  problems: ScanProblem[]
}

/** How many levels below the folder of a user or case are scanned. */
const maxDepth = 4
/** How many files are looked up at once. */
const lookUpsAtOnce = 32

/** What a scan has found so far, and the signal that ends it. */
interface RunningScan extends FolderScan {
  signal: AbortSignal
}

/**
 * Lists the files of a folder and of those below it, through open folders: no link is followed. Throws the signal's reason once that
 * aborts, within a few look-ups, because a share may have many thousands of files.
 */
export async function scanFolder(root: FolderHandle, signal: AbortSignal): Promise<FolderScan> {
  const found: FolderScan = { folders: [], problems: [] }
  await scanInto({ ...found, signal }, root, [])
  return found
}

async function scanInto(scan: RunningScan, folder: FolderHandle, path: PathComponents): Promise<void> {
  const found: ScannedFolder = { path, files: [], settings: undefined }
  scan.folders.push(found)
  const below: Buffer[] = []
  for (const { name, stats } of await lookUpAll(folder, scan.signal)) {
    if (stats.isDirectory()) below.push(name)
    else if (name.equals(settingsFile)) found.settings = stateOf(stats)
    else if (!isPartial(name)) found.files.push({ name, state: stateOf(stats) })
  }
  if (path.length > maxDepth && below.length > 0) {
    const reason = `Folders more than ${maxDepth} levels below "${decodePath(path.slice(0, 1))}" are not looked at: move them up.`
    scan.problems.push({ path, reason })
    return
  }
  for (const name of below) await scanBelow(scan, folder, [...path, name])
}

async function scanBelow(scan: RunningScan, parent: FolderHandle, path: PathComponents): Promise<void> {
  const name = path.at(-1)
  if (!name) return
  try {
    const folder = await parent.openFolder(name)
    await scanInto(scan, folder, path).finally(() => folder.close())
  } catch (error) {
    scan.signal.throwIfAborted()
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    // It was removed, or replaced by a file or a link, which the next scan will find.
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)) return
    scan.problems.push({
      path,
      reason: `Awaz cannot look into this folder (${code || 'unknown error'}). Check its permissions.`,
    })
  }
}

async function lookUpAll(folder: FolderHandle, signal: AbortSignal): Promise<{ name: Buffer; stats: BigIntStats }[]> {
  const names = (await folder.listNames()).filter((name) => !isIgnored(name)).toSorted(Buffer.compare)
  const found: { name: Buffer; stats: BigIntStats }[] = []
  for (let from = 0; from < names.length; from += lookUpsAtOnce) {
    signal.throwIfAborted()
    const looked = names.slice(from, from + lookUpsAtOnce).map(async (name) => {
      const stats = await folder.lookUp(name)
      return stats ? [{ name, stats }] : []
    })
    found.push(...(await Promise.all(looked)).flat())
  }
  return found
}

/** Leaves out the inode, which some network shares generate afresh each time. */
function stateOf({ size, mtimeNs }: BigIntStats): string {
  return `${size} ${mtimeNs}`
}
