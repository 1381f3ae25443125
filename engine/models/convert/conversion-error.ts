import { AppError } from '#contract/app-error.ts'

const downloadAgain = 'Download it again, and compare its size and hash with those on the page that it came from.'

/** A folder that cannot be converted: what was found, and what to do about it. */
export function notConvertible(message: string, help: string): AppError {
  return new AppError('model_unavailable', message, { help })
}

/** A file that is not what its name says or is not whole; `fault` goes on after a colon. */
export function damagedFile(path: string, fault: string, help: string = downloadAgain): AppError {
  return notConvertible(`The file ${path} is damaged: ${fault}.`, help)
}
