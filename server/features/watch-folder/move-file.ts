import { access, constants, lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { FolderProblem } from './folder-settings.ts'

export const doneFolder = 'done'
export const failedFolder = 'failed'

/** What a folder's problem is written to, in that folder. */
export const problemFile = 'awaz-problem.txt'

/**
 * Throws FolderProblem where files cannot be moved within a folder, or would leave the watched one: whoever may write to a folder must not
 * reach what Awaz alone may.
 */
export async function assertMovable(watched: string, folder: string): Promise<void> {
  const isInside = (await realpath(folder)) === join(await realpath(watched), relative(watched, folder))
  if (!isInside) throw new FolderProblem('This folder is behind a link: links are not followed.')
  for (const name of [doneFolder, failedFolder]) {
    const found = await lstat(join(folder, name)).catch(() => undefined)
    if (found && !found.isDirectory())
      throw new FolderProblem(`"${name}" is no folder of its own. Rename it; the recordings are taken in then.`)
  }
  await access(folder, constants.W_OK).catch(() => {
    throw new FolderProblem('Awaz has no permission to move files in this folder.')
  })
}

/** Writes why nothing is taken from a folder into it; without a reason it removes what was written. A link in its place is replaced. */
export async function writeProblem(folder: string, reason: string | null): Promise<void> {
  const path = join(folder, problemFile)
  await rm(path, { force: true })
  if (reason !== null) await writeFile(path, `${reason}\n`, { flag: 'wx' })
}

/**
 * Moves a file into a folder beside it, under another name where that one is taken, and writes the note beside it there. The note is written
 * first: a file without its reason would be a riddle.
 */
export async function moveBeside(path: string, folder: string, note: string | null): Promise<void> {
  const target = join(dirname(path), folder)
  await mkdir(target, { recursive: true })
  const free = await findFreePath(join(target, basename(path)))
  if (note !== null) await writeFile(`${free}.txt`, `${note}\n`, { flag: 'wx' })
  await rename(path, free)
}

/** Returns the path, or else "name (2).wav" and so on. */
async function findFreePath(path: string): Promise<string> {
  const ending = extname(path)
  const stem = path.slice(0, path.length - ending.length)
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? path : `${stem} (${count})${ending}`
    if (!(await exists(candidate)) && !(await exists(`${candidate}.txt`))) return candidate
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
