import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { AppError } from '#contract/app-error.ts'
import { version } from '#data/version.ts'
import { readTar } from '#engine/models/store/unpack/tar.ts'
import { decryptAge, WrongKeyError, type HeaderDecrypter } from '../format/age-stream.ts'
import { BackupHead, formatVersion, headFile, maxHeadBytes } from '../format/manifest.ts'
import { assertWhole } from '../format/tar-writer.ts'
import { isAgeFile } from './archive-key.ts'
import { readBounded } from './bounded.ts'

export interface ArchiveOptions {
  path: string
  /** Required if the archive is encrypted. */
  decrypter?: HeaderDecrypter | undefined
  signal?: AbortSignal
}

/** Receives each entry after the head. An error it throws stops the reading. */
type OnEntry = (path: string, content: Readable) => Promise<void>

/**
 * Reads an archive from start to end. Only once this returns is the archive known to be whole.
 *
 * @throws AppError `invalid_input` where the key is missing or wrong, or the file is damaged, of a newer format or not a backup
 */
export async function readArchive({ path, decrypter, signal }: ArchiveOptions, onEntry: OnEntry): Promise<void> {
  const isEncrypted = await assertKeyGiven({ path, decrypter })
  const file = createReadStream(path, { highWaterMark: 512 * 1024 }) as AsyncIterable<Buffer>
  const plain = isEncrypted && decrypter ? decryptAge(decrypter, file) : file
  let hasHead = false
  try {
    await readTar(
      Readable.from(abortable(assertWhole(plain), signal), { objectMode: false }),
      async (name, content) => {
        if (hasHead) return onEntry(name, content)
        assertKnownFormat(path, name === headFile ? await readBounded(content, maxHeadBytes) : undefined)
        hasHead = true
      },
    )
  } catch (error) {
    throw toReadError(path, error)
  }
  if (!hasHead) throw noBackup(path)
}

/** Returns whether an archive is encrypted. Throws `invalid_input` where it is and there is no key, `not_found` where it cannot be read. */
export async function assertKeyGiven({ path, decrypter }: ArchiveOptions): Promise<boolean> {
  const isEncrypted = await isAgeFile(path)
  if (!isEncrypted || decrypter) return isEncrypted
  throw new AppError('invalid_input', `${path} is encrypted.`, {
    help: 'Give --passphrase-file FILE or --identity FILE, whichever it was made for.',
  })
}

async function* abortable(source: AsyncIterable<Buffer>, signal: AbortSignal | undefined) {
  for await (const chunk of source) {
    signal?.throwIfAborted()
    yield chunk
  }
}

function assertKnownFormat(path: string, head: Buffer | undefined): void {
  const parsed = BackupHead.safeParse(parseJson(head))
  if (!parsed.success) throw noBackup(path)
  const { format, version: madeBy } = parsed.data
  if (format <= formatVersion) return
  throw new AppError(
    'invalid_input',
    `${path} was made by a newer version of Awaz (${madeBy}, format ${format}); this one is ${version} and reads formats up to ${formatVersion}.`,
    { help: 'Restore it with that version or a newer one.' },
  )
}

export function parseJson(text: Buffer | undefined): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

function toReadError(path: string, error: unknown): unknown {
  if (error instanceof AppError || (error instanceof Error && error.name === 'AbortError')) return error
  if (error instanceof WrongKeyError) {
    return new AppError(
      'invalid_input',
      `${path} is not opened by this key: it is the wrong one, or the file is damaged.`,
      {
        help: 'Every backup needs the passphrase, or an identity of a recipient, with which it was made.',
        cause: error,
      },
    )
  }
  const reason = error instanceof Error ? error.message : String(error)
  return new AppError('invalid_input', `${path} is damaged: ${reason}.`, { cause: error })
}

function noBackup(path: string): AppError {
  return new AppError('invalid_input', `${path} is not an Awaz backup, or its beginning is damaged.`)
}
