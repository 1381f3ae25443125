import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { AppError } from '#contract/app-error.ts'
import { streamZip, type ArchiveFile } from '#server/features/batches/archive/zip-stream.ts'
import { fields, type Shape } from './allow-list.ts'

/** A file of the archive. Its text is created only here, from what the shapes of its fields let through. */
export interface SupportFile {
  /** Without `.json`. */
  name: string
  /** What the README says about it. */
  about: string
  shape: Shape
  value: unknown
}

/** The file that explains the others. */
const readmeName = 'README.txt'

/** Returns the texts of an archive. This is the only way to put anything into it. */
export function renderFiles(files: readonly SupportFile[]): ArchiveFile[] {
  const rendered = files.map(({ name, shape, value }) => ({
    name: `${name}.json`,
    content: `${JSON.stringify(shape(value), null, 2)}\n`,
  }))
  return [{ name: readmeName, content: describeFiles(files) }, ...rendered]
}

/** Returns a file that consists of one object. */
export function objectFile(
  name: string,
  about: string,
  shapes: Readonly<Record<string, Shape>>,
  value: object,
): SupportFile {
  return { name, about, shape: fields(shapes), value }
}

function describeFiles(files: readonly SupportFile[]): string {
  const lines = files.map(({ name, about }) => `${`${name}.json`.padEnd(16)} ${about}`)
  return `Awaz support archive

Made by "awaz support" for whoever helps the administrator of this instance. It holds no recording, transcript, note, keyword, name or
address. Values are numbers, yes or no, times, versions, hashes of models, and words of Awaz itself such as codes and names of settings;
everything else was replaced by "masked", and values of settings by "set". Read the files before you send them: they are plain text.

${lines.join('\n')}

The log is not in here: Awaz writes it to standard output and keeps no copy.
`
}

/**
 * Writes a ZIP archive that only its owner may read (0600), completely or not at all. Returns the SHA-256 of its bytes. Throws `conflict`
 * if the file exists, and `invalid_input` if it cannot be written.
 */
export async function writeArchive(path: string, files: readonly ArchiveFile[], signal: AbortSignal): Promise<string> {
  const content = await buffer(streamZip(eachOf(files), signal))
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600, flush: true })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') throw alreadyThere(path)
    await rm(path, { force: true })
    throw new AppError('invalid_input', `${path} could not be written.`, { cause })
  }
  return createHash('sha256').update(content).digest('hex')
}

export function alreadyThere(path: string): AppError {
  return new AppError('conflict', `${path} exists already. Nothing is overwritten: name another file with --out.`)
}

async function* eachOf(files: readonly ArchiveFile[]): AsyncGenerator<ArchiveFile> {
  yield* files
}
