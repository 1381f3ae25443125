import { access, constants, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '#contract/app-error.ts'

/** Throws `invalid_input` if no file can be written at `path`; call it before work that may take hours. */
export async function assertWritable(path: string): Promise<void> {
  await access(dirname(path), constants.W_OK).catch((cause: unknown) => {
    throw notWritten(path, cause)
  })
}

/** Writes a file completely or not at all, and reports it. Throws `invalid_input` if it cannot be written. */
export async function writeOutputFile(path: string, text: string): Promise<void> {
  const part = `${path}.part`
  try {
    await writeFile(part, text)
    await rename(part, path)
  } catch (cause) {
    await rm(part, { force: true })
    throw notWritten(path, cause)
  }
  console.error(`Written to ${path}`)
}

function notWritten(path: string, cause: unknown): AppError {
  return new AppError('invalid_input', `${path} could not be written.`, { cause })
}
