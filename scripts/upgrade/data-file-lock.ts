import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { AppError } from '#contract/app-error.ts'

export interface DataFileLock {
  release(): Promise<void>
}

/**
 * Keeps every other process from opening the file of the embedded database until `release`, or until this process exits. The database's
 * log is empty until then: its content has been moved to the file.
 *
 * @throws Error if another process has the file open (`isInUse`), or if it cannot be opened
 */
export async function lockDataFile(file: string): Promise<DataFileLock> {
  const args = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'hold-data-file.ts'), file]
  // In a separate process group: Ctrl-C on a terminal must not end the lock before this process.
  const holder = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const exited = once(holder, 'exit')
  const stderr = text(holder.stderr)
  const outcome = await Promise.race([once(holder.stdout, 'data'), exited])
  if (!String(outcome[0]).startsWith('held')) throw new Error((await stderr).trim() || 'the data file was not locked')
  return {
    async release() {
      holder.stdin.end()
      await exited
    },
  }
}

/** Whether an error says that another process has the data file open. */
export function isInUse(error: unknown): boolean {
  return error instanceof Error && error.message.includes('in use by another process')
}

/** Returns the error of a command that requires Awaz to be stopped. */
export function stillRunning(dataDir: string, cause?: unknown): AppError {
  return new AppError('conflict', `Awaz is running on ${dataDir}.`, { help: 'Stop it first.', cause })
}
