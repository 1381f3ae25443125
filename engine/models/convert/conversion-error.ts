import { AppError } from '#contract/app-error.ts'

const downloadAgain = 'Download it again, and compare its size and hash with those on the page that it came from.'

/** Creates the error for a folder that cannot be converted. */
export function notConvertible(message: string, help: string): AppError {
  return new AppError('model_unavailable', message, { help })
}

/** Creates the error for a file that is incomplete or of the wrong kind; `problem` follows after a colon. */
export function damagedFile(path: string, problem: string, help: string = downloadAgain): AppError {
  return notConvertible(`The file ${path} is damaged: ${problem}.`, help)
}
