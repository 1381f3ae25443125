import { setTimeout as wait } from 'node:timers/promises'

/** A database handle of the driver. */
interface CommandRunner {
  command(command: Record<string, unknown>): Promise<Record<string, unknown>>
}

interface SnapshotOptions {
  signal: AbortSignal
  onProgress?: (done: number, total: number) => void
}

const pollMs = 50

/** Returns whether the database is the embedded one. */
export async function isEmbedded(db: CommandRunner): Promise<boolean> {
  return (await db.command({ hello: 1 })).awazEmbedded === true
}

/**
 * Copies the file of the embedded database while it runs, calls `use` with the path of the copy, and deletes the copy. The copy shows
 * the database at the time of its completion.
 */
export async function withEmbeddedSnapshot<T>(
  db: CommandRunner,
  options: SnapshotOptions,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const id = await startSnapshot(db, options)
  try {
    return await use(await waitUntilCopied(db, id, options))
  } finally {
    await db.command({ awazDropSnapshot: id })
  }
}

/** Starts a copy, waiting while another is made or read: a backup's, or that of a dead process, which is given up after 15 s. */
async function startSnapshot(db: CommandRunner, { signal }: Pick<SnapshotOptions, 'signal'>): Promise<string> {
  for (;;) {
    try {
      return String((await db.command({ awazStartSnapshot: 1 })).id)
    } catch (error) {
      const isTaken =
        error instanceof Error && 'codeName' in error && error.codeName === 'ConflictingOperationInProgress'
      if (!isTaken) throw error
      await wait(pollMs, undefined, { signal })
    }
  }
}

async function waitUntilCopied(
  db: CommandRunner,
  id: string,
  { signal, onProgress }: SnapshotOptions,
): Promise<string> {
  for (;;) {
    signal.throwIfAborted()
    const { isDone, file, copiedPages, totalPages } = await db.command({ awazSnapshotStatus: id })
    onProgress?.(Number(copiedPages), Number(totalPages))
    if (isDone === true) return String(file)
    await wait(pollMs, undefined, { signal })
  }
}
