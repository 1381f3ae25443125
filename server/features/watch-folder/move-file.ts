import { FolderProblem } from './folder-problem.ts'
import { decodeName, doneFolder, failedFolder, noteNameOf, numberName, problemFile } from './names.ts'
import type { FolderHandle } from './folder-handle.ts'

/** Throws FolderProblem if files cannot be moved within a folder. */
export async function assertMovable(folder: FolderHandle): Promise<void> {
  for (const name of [doneFolder, failedFolder]) {
    const found = await folder.lookUp(name)
    if (found && !found.isDirectory())
      throw new FolderProblem(
        `"${decodeName(name)}" is no folder of its own. Rename it; the recordings are imported then.`,
      )
  }
  await folder.assertWritable().catch(() => {
    throw new FolderProblem('Awaz has no permission to move files in this folder.')
  })
}

/** Writes into a folder why nothing is imported from it; without a reason, removes what was written. A link in its place is replaced. */
export async function writeProblem(folder: FolderHandle, reason: string | null): Promise<void> {
  await folder.removeFile(problemFile)
  if (reason !== null) await folder.writeNew(problemFile, `${reason}\n`)
}

/**
 * Moves a file into a folder next to it, under another name if its name is taken or too long for its note, and writes the note next to it
 * there. The note is written first: a file without its reason would be a mystery.
 */
export async function moveBeside(
  folder: FolderHandle,
  name: Buffer,
  { to, note }: { to: Buffer; note: string | null },
): Promise<void> {
  const target = await folder.openOrMakeFolder(to)
  try {
    const free = await findFreeName(target, name, { hasNote: note !== null })
    if (note !== null) await target.writeNew(noteNameOf(free), `${note}\n`)
    await folder.moveTo(target, name, free)
  } finally {
    await target.close()
  }
}

async function findFreeName(folder: FolderHandle, name: Buffer, options: { hasNote: boolean }): Promise<Buffer> {
  for (let count = 1; ; count += 1) {
    const candidate = numberName(name, count, options)
    const isTaken = (await folder.lookUp(candidate)) ?? (await lookUpNote(folder, candidate))
    if (!isTaken) return candidate
  }
}

/** A file without a note may have a name too long to leave room for one. */
async function lookUpNote(folder: FolderHandle, name: Buffer) {
  return await folder.lookUp(noteNameOf(name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENAMETOOLONG') throw error
  })
}
