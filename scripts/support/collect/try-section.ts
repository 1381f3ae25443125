import { dirname, join } from 'node:path'
import { fields, listOf, oneOf, pattern } from '../allow-list.ts'
import type { SupportFile } from '../archive.ts'
import { errorCodes, systemErrors } from '../vocabulary.ts'

const root = dirname(dirname(dirname(import.meta.dirname)))
const errorNames = ['Error', 'TypeError', 'RangeError', 'AppError', 'ZodError', 'ConfigError', 'MongoServerError']
const failure = fields({
  error: oneOf(errorNames),
  code: oneOf([...errorCodes, ...systemErrors]),
  frames: listOf(pattern(/(?:server|engine|scripts)\/[a-z\d/.-]+\.ts:\d+/)),
})

/**
 * Returns the files of one part of an archive. If it cannot be read, for example because the database is damaged, a file reports that
 * instead, with the error's name, its code and our own lines of its stack.
 */
export async function trySection(
  name: string,
  { read, signal }: { read: () => Promise<SupportFile[]>; signal: AbortSignal },
): Promise<SupportFile[]> {
  try {
    return await read()
  } catch (error) {
    signal.throwIfAborted()
    return [
      {
        name,
        about: 'could not be read: the error, its code, and where in Awaz',
        shape: failure,
        value: describe(error),
      },
    ]
  }
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return {}
  const lines = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '))
  return {
    error: error.name,
    code: 'code' in error ? error.code : null,
    frames: lines.flatMap((line) => {
      const at = line.lastIndexOf(join(root, '/'))
      return at < 0 || line.includes('/node_modules/') ? [] : line.slice(at + root.length + 1).replace(/:\d+\)?$/, '')
    }),
  }
}
