import { AppError } from '#contract/app-error.ts'

/** Returns the error for an upload above the limit. */
export function tooLargeError(maxBytes: number): AppError {
  return new AppError('upload_too_large', `This file is larger than ${maxBytes} bytes (${maxBytes / 1024 / 1024} MB)`, {
    help: 'Cut the recording into parts, or save it as MP3, OGG or M4A.',
  })
}

/** Returns the error for a file or text that does not fit on the disk. */
export function diskFullError({ what = 'file', cause }: { what?: 'file' | 'text'; cause?: unknown } = {}): AppError {
  return new AppError('disk_full', `The server has no room left for this ${what}`, {
    help: 'Tell your administrator that the disk is full.',
    cause,
  })
}
