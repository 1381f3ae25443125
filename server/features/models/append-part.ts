import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { AppError } from '#contract/app-error.ts'

/**
 * Appends a part to a file and returns the new size. Truncates the file again when the part is interrupted, so that it can be resent.
 */
export async function appendPart(
  path: string,
  offset: number,
  { body, maxBytes }: { body: Readable; maxBytes: number },
): Promise<number> {
  const handle = await open(path, 'a')
  let end = offset
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('A body is a stream of bytes')
      end += chunk.length
      if (end - offset > maxBytes) throw partTooLarge(maxBytes)
      await handle.appendFile(chunk)
    }
    await handle.datasync()
    return end
  } catch (error) {
    await handle.truncate(offset)
    body.resume()
    throw toUploadFailure(error)
  } finally {
    await handle.close()
  }
}

function partTooLarge(maxBytes: number): AppError {
  return new AppError(
    'upload_too_large',
    `This part is larger than the ${maxBytes} bytes that the file may still bring.`,
  )
}

function toUploadFailure(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new AppError('disk_full', 'The server has no room left for this model.', {
    help: 'Make room on the volume of MODELS_DIR and send the part again.',
    cause: error,
  })
}
