import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { DocumentName } from '#contract/endpoints/system.ts'

/** A page of text is a few kilobytes; anything larger was put there by mistake. */
export const maxDocumentBytes = 256 * 1024

/**
 * Returns the operator's text for an information page: `<name>.md` in `dataDir`, UTF-8. Returns null, so that the built-in text is shown,
 * if the file is missing, blank, unreadable or larger than `maxDocumentBytes`; logs the last two.
 */
export async function readDocument(dataDir: string, name: DocumentName, log: Logger): Promise<string | null> {
  let file: FileHandle | undefined
  try {
    file = await open(join(dataDir, `${name}.md`))
    // Reading one byte more than allowed detects a file that is too large, even if it grows while being read.
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(maxDocumentBytes + 1) })
    if (bytesRead > maxDocumentBytes) {
      log.warn({ name, maxDocumentBytes }, 'information page ignored: the file is too large')
      return null
    }
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '')
    return text.trim() ? text : null
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing) log.warn({ err: error, name }, 'information page ignored: the file cannot be read')
    return null
  } finally {
    await file?.close()
  }
}
