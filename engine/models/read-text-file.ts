import { open } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'

/** Far above the vocabularies, configurations and indexes of any model. */
export const maxTextBytes = 64 * 1024 * 1024

/**
 * Reads a text file of a model, such as its vocabulary.
 *
 * @throws AppError `model_unavailable` if it is larger than `maxTextBytes`; the error of `open` if there is no such file
 */
export async function readTextFile(path: string): Promise<string> {
  await using file = await open(path)
  const { size } = await file.stat()
  if (size <= maxTextBytes) return file.readFile('utf8')
  throw new AppError(
    'model_unavailable',
    `The file ${path} cannot be read: it has ${size} bytes, and a text file of a model has at most ${maxTextBytes}.`,
    { help: 'Compare its size with that on the page of the model, and download it again.' },
  )
}
