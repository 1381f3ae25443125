import { readTextFile } from '../read-text-file.ts'
import { damagedFile } from './conversion-error.ts'

/**
 * Returns the content of a JSON file, or undefined if there is no such file.
 *
 * @throws AppError `model_unavailable` if it is not JSON
 */
export async function readJson(path: string): Promise<unknown> {
  const text = await readTextFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const content = parseJson(text)
  if (content === undefined) throw damagedFile(path, 'it is not JSON')
  return content
}

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
