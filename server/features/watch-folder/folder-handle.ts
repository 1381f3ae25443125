import { constants, type BigIntStats } from 'node:fs'
import { access, lstat, mkdir, open, readdir, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { FolderProblem } from './folder-problem.ts'

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY
/** The kernel does not open links, and does not wait for the writer of a pipe. */
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * A folder that is held open. Names are looked up in this very folder, whatever happens to its path in the meantime, and no link is
 * followed: docs/decisions/watch-folder.md. Names are bytes, because file systems have no encoding. The caller that opens it closes it.
 */
export class FolderHandle {
  readonly #handle: FileHandle

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /**
   * Opens the folder at a path set by the operator, which may be a link.
   *
   * @throws FolderProblem where this system cannot look up names in an open folder
   */
  static async open(path: string): Promise<FolderHandle> {
    const folder = new FolderHandle(await open(path, folderFlags))
    try {
      await folder.#assertReachable()
      return folder
    } catch (error) {
      await folder.close()
      throw error
    }
  }

  /** Opens a folder within this one. Rejects with ENOTDIR or ELOOP if it is a link or a file. */
  async openFolder(name: Buffer): Promise<FolderHandle> {
    return new FolderHandle(await open(this.#pathOf(name), folderFlags | constants.O_NOFOLLOW))
  }

  /** Opens a folder within this one, creating it if it is missing. */
  async openOrMakeFolder(name: Buffer): Promise<FolderHandle> {
    await mkdir(this.#pathOf(name)).catch(ignoreExisting)
    return await this.openFolder(name)
  }

  async listNames(): Promise<Buffer[]> {
    return await readdir(this.#path, { encoding: 'buffer' })
  }

  /** Returns the stats of a name without following links; undefined if nothing has that name. */
  async lookUp(name: Buffer): Promise<BigIntStats | undefined> {
    return await lstat(this.#pathOf(name), { bigint: true }).catch(ignoreMissing)
  }

  /** Opens a file for reading. Rejects with ELOOP if it is a link. */
  async openFile(name: Buffer): Promise<FileHandle> {
    return await open(this.#pathOf(name), fileFlags)
  }

  /** Writes a file that must not exist yet. Rejects with EEXIST if anything has its name, even a link. */
  async writeNew(name: Buffer, text: string): Promise<void> {
    await writeFile(this.#pathOf(name), text, { flag: 'wx' })
  }

  /** Removes a file or a link. */
  async removeFile(name: Buffer): Promise<void> {
    await rm(this.#pathOf(name), { force: true })
  }

  /** Moves a file or a link from this folder into another one. */
  async moveTo(target: FolderHandle, name: Buffer, newName: Buffer): Promise<void> {
    await rename(this.#pathOf(name), target.#pathOf(newName))
  }

  async assertWritable(): Promise<void> {
    await access(this.#path, constants.W_OK)
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }

  get #path(): string {
    return `/proc/self/fd/${this.#handle.fd}`
  }

  #pathOf(name: Buffer): Buffer {
    if (name.includes('/') || notNames.some((each) => each.equals(name)))
      throw new TypeError('A name in a folder is no path')
    return Buffer.concat([Buffer.from(`${this.#path}/`), name])
  }

  async #assertReachable(): Promise<void> {
    const [held, found] = await Promise.all([
      this.#handle.stat({ bigint: true }),
      stat(this.#path, { bigint: true }).catch(ignoreMissing),
    ])
    if (found?.dev === held.dev && found.ino === held.ino) return
    throw new FolderProblem('The watch folder needs Linux with /proc: without it a folder could be swapped for a link.')
  }
}

const notNames = ['', '.', '..'].map((name) => Buffer.from(name))

/** Opens a folder below another one, and all folders in between, outermost first. Closes them after `use`. */
export async function withFolders<T>(
  root: FolderHandle,
  path: readonly Buffer[],
  use: (folders: FolderHandle[]) => Promise<T>,
): Promise<T> {
  const opened: FolderHandle[] = []
  try {
    for (const name of path) {
      const folder = await (opened.at(-1) ?? root).openFolder(name).catch(toProblem)
      opened.push(folder)
    }
    return await use(opened)
  } finally {
    for (const folder of opened) await folder.close()
  }
}

function toProblem(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOTDIR' || error.code === 'ELOOP')
    throw new FolderProblem('This folder is behind a link: links are not followed.')
  if (error.code === 'EACCES' || error.code === 'EPERM')
    throw new FolderProblem('Awaz has no permission to read this folder.')
  throw error
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function ignoreExisting(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error
}
