import { AppError } from '#contract/app-error.ts'
import { isDatabaseDiskFailure } from '../database-errors.ts'
import { isDiskFull } from '../disk-full.ts'
import { diskFullError } from './upload-errors.ts'

/** Error codes of the file system that the uploader did not cause. */
const folderErrorCodes = [
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'ESTALE',
  'EMFILE',
  'ENFILE',
  'EEXIST',
]

/**
 * Translates a failure of the audio folder, or of the database that keeps recordings, for the uploader: `disk_full` or `unavailable`.
 * Returns other errors unchanged.
 */
export function toStoreFailure(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (isDiskFull(error) || isDatabaseDiskFailure(error)) {
    return diskFullError({ cause: error })
  }
  if (!folderErrorCodes.includes(code)) return error
  return new AppError('unavailable', 'Recordings cannot be stored at the moment.', {
    help: 'Try again later, or tell your administrator that the audio folder cannot be written to.',
    cause: error,
  })
}
