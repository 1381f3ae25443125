import { readdir, stat, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { awazCommand } from '#data/awaz-command.ts'
import { hashFile } from '../content-hash.ts'
import { readTextFile } from '../read-text-file.ts'

const checksumsName = 'SHA256SUMS'

/** SHA-256 in lowercase hex, by file name below the folder. */
type Checksums = Map<string, string>

/** Writes SHA256SUMS for the files `names` of a folder, in the format that `sha256sum -c` reads. */
export async function writeChecksums(folder: string, names: string[], signal: AbortSignal | undefined): Promise<void> {
  const lines: string[] = []
  for (const name of names) lines.push(`${(await hashFile(join(folder, name), { signal })).sha256}  ${name}\n`)
  await writeFile(join(folder, checksumsName), lines.join(''))
}

/**
 * Returns the checksums of a folder.
 *
 * @throws AppError `model_unavailable` if SHA256SUMS is missing or damaged, names a file that is not in the folder, or does not name one
 *   that is; hidden files, which file managers leave behind, do not count
 */
export async function readChecksums(folder: string): Promise<Checksums> {
  const path = join(folder, checksumsName)
  const sums = parseChecksums(path, await readIfPresent(path))
  for (const name of sums.keys()) {
    const info = await stat(join(folder, name)).catch(() => undefined)
    if (!info?.isFile()) throw incomplete(`${path} names ${name}, which is missing in ${folder}.`)
  }
  const unnamed = (await listFiles(folder)).find((name) => !sums.has(name))
  if (unnamed !== undefined) {
    throw incomplete(`${path} does not name ${unnamed}, so that it cannot be checked.`)
  }
  return sums
}

/** Throws `model_unavailable` if a file of `folder` does not match its checksum. */
export async function assertChecksums(folder: string, sums: Checksums, signal: AbortSignal | undefined): Promise<void> {
  for (const [name, sum] of sums) {
    const { sha256 } = await hashFile(join(folder, name), { signal })
    if (sha256 === sum) continue
    throw new AppError(
      'model_unavailable',
      `${name} is not the file that was exported: its SHA-256 is ${sha256} instead of ${sum}.`,
      { help: 'Copy it again, or export the model again.' },
    )
  }
}

function readIfPresent(path: string): Promise<string> {
  return readTextFile(path).catch((error: unknown) => {
    if (error instanceof AppError) throw error
    return ''
  })
}

function parseChecksums(path: string, text: string): Checksums {
  const sums: Checksums = new Map()
  for (const line of text.split('\n').filter((row) => row.trim() !== '')) {
    const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/u.exec(line) ?? []
    if (!sum || !name || name.startsWith('/') || name.split('/').includes('..')) {
      throw new AppError('model_unavailable', `${path} is not a list of checksums: "${line}".`)
    }
    sums.set(name, sum)
  }
  if (sums.size === 0) {
    throw incomplete(`${path} is missing or empty, so that the files cannot be checked.`)
  }
  return sums
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== checksumsName)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !name.split(sep).some(isLeftByFileManager))
}

/** Returns whether a file or folder is hidden, or is one that Windows adds to the folders it displays. */
function isLeftByFileManager(name: string): boolean {
  return name.startsWith('.') || ['thumbs.db', 'desktop.ini'].includes(name.toLowerCase())
}

function incomplete(message: string): AppError {
  return new AppError('model_unavailable', message, {
    help: `Export the model again: ${awazCommand} models export ID FOLDER.`,
  })
}
