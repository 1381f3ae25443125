import { stat } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'

/**
 * Throws `not_found` where the backup folder does not exist. It is not created: if its disk were not mounted, backups would fill the
 * server's own disk.
 */
export async function assertFolderExists(folder: string): Promise<void> {
  try {
    await stat(folder)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) return // writing to it will report why it fails
    throw new AppError('not_found', `The backup folder ${folder} does not exist.`, {
      help: 'Create it, or mount the disk that holds it.',
      cause,
    })
  }
}
