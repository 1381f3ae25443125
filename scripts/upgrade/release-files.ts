import { createPublicKey, verify } from 'node:crypto'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { hashFile } from '#data/hash-file.ts'
import { ifExists } from '#data/if-exists.ts'

/** In a release folder: the SHA-256 of every other file, in the format that `sha256sum --check` reads. */
export const checksumsFile = 'SHA256SUMS'
/** Signature of that file by an Ed25519 key, in base64. */
export const signatureFile = 'SHA256SUMS.sig'
const describing = [checksumsFile, signatureFile]
/** Far above what the files of a release need, so that a file of any size is not read into memory. */
const maxChecksumsBytes = 16 * 2 ** 20
/** What an installation adds to its folder unless its settings name another place: see scripts/release/awaz.sh. */
const installedPaths = ['.env', 'data']

export interface ReleaseCheck {
  files: number
  /** A sentence for each file that is damaged, missing or not part of the release, and for an invalid signature. */
  problems: string[]
  /** Settings and data of this installation in the folder, if they are expected there; the checksums do not cover them. */
  added: string[]
  signature: 'unsigned' | 'unchecked' | 'valid' | 'invalid'
}

interface CheckOptions {
  /** Public key (PEM, Ed25519). A release without a signature is then a problem. */
  keyFile?: string | undefined
  /** Whether Awaz is installed in this folder, which may then hold its settings (`.env`) and `data`. Default false: Awaz would use both. */
  isInstalled?: boolean
}

/**
 * Compares every file of a release folder with its checksums. If a public key is given, their signature is checked first; if that is
 * missing or wrong, nothing else is read.
 *
 * @throws AppError `not_found` if the folder has no checksums, `invalid_input` if the key cannot be read
 */
export async function checkRelease(folder: string, options: CheckOptions = {}): Promise<ReleaseCheck> {
  const { keyFile, isInstalled = false } = options
  const listed = await readOwnFile(join(folder, checksumsFile))
  if (!listed) {
    throw new AppError('not_found', `${folder} is no release: it has no file ${checksumsFile}.`, {
      help: 'Name the folder that the archive unpacks.',
    })
  }
  const signature = await checkSignature(folder, listed, keyFile)
  const refusal = keyFile === undefined ? undefined : refusals[signature]
  if (refusal !== undefined) return { files: 0, problems: [refusal], added: [], signature }
  const { sums, problems } = parseChecksums(listed.toString('utf8'))
  const present = await listEntries(folder, '')
  problems.push(...(await compareFiles(folder, sums, present)))
  const others = [...present.keys()].filter((path) => !sums.has(path) && !describing.includes(path)).toSorted()
  const added = others.filter((path) => isInstalled && installedPaths.includes(path))
  for (const path of others)
    if (!added.includes(path)) problems.push(`${printable(path)} does not belong to the release.`)
  return { files: sums.size, problems, added, signature }
}

const refusals: Partial<Record<ReleaseCheck['signature'], string>> = {
  invalid: 'The signature is not by this key, or the checksums were changed.',
  unsigned: 'The release is unsigned.',
}

async function compareFiles(folder: string, sums: Map<string, string>, present: Entries): Promise<string[]> {
  const problems: string[] = []
  for (const [path, sum] of sums) {
    const kind = present.get(path)
    if (kind === undefined) problems.push(`${printable(path)} is missing.`)
    else if (kind === 'other') problems.push(`${printable(path)} is a link, pipe or device in place of a file.`)
    else if ((await hashFile(join(folder, path))).sha256 !== sum) {
      problems.push(`${printable(path)} is not the file of the release.`)
    }
  }
  return problems
}

async function checkSignature(
  folder: string,
  signed: Buffer,
  keyFile: string | undefined,
): Promise<ReleaseCheck['signature']> {
  const text = await readOwnFile(join(folder, signatureFile))
  if (text === undefined) return 'unsigned'
  if (keyFile === undefined) return 'unchecked'
  const key = await readKey(keyFile)
  return verify(null, signed, key, Buffer.from(text.toString('utf8'), 'base64')) ? 'valid' : 'invalid'
}

/** Reads a regular file no larger than checksums can be; undefined for anything else, such as a link, pipe or device. */
async function readOwnFile(path: string): Promise<Buffer | undefined> {
  const info = await ifExists(() => lstat(path))
  return info?.isFile() && info.size <= maxChecksumsBytes ? readFile(path) : undefined
}

async function readKey(path: string) {
  try {
    const key = createPublicKey(await readFile(path))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch (cause) {
    throw new AppError('invalid_input', `${path} is not a public key in PEM.`, { cause })
  }
  throw new AppError('invalid_input', `${path} is not an Ed25519 key.`)
}

/** Returns the checksums by path, and a sentence for each line that does not name a path inside the release. */
function parseChecksums(text: string): { sums: Map<string, string>; problems: string[] } {
  const sums = new Map<string, string>()
  const problems: string[] = []
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, sum, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    if (sum === undefined || path === undefined) problems.push(`${checksumsFile} has a line that is no checksum.`)
    else if (path.split('/').some((part) => ['', '.', '..'].includes(part))) {
      problems.push(`${checksumsFile} names ${printable(path)}, which is no path inside the release.`)
    } else sums.set(path, sum)
  }
  return { sums, problems }
}

/** Names come from the author of the folder: control characters could alter what the terminal shows. */
function printable(path: string): string {
  return path.replace(/\p{Cc}/gu, '?')
}

/** Lists the paths of the files below a release folder, without the checksums and their signature. */
export async function listReleaseFiles(folder: string): Promise<string[]> {
  const paths = [...(await listEntries(folder, '')).keys()]
  return paths.filter((path) => !describing.includes(path)).toSorted()
}

/** Entries by path. */
type Entries = Map<string, 'file' | 'other'>

/** Lists everything but folders. Does not follow links, and lists only the name of the `data` folder: it may hold thousands of files. */
async function listEntries(folder: string, prefix: string): Promise<Entries> {
  const entries: Entries = new Map()
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const path = `${prefix}${entry.name}`
    if (entry.isDirectory() && path !== 'data') {
      for (const [below, kind] of await listEntries(folder, `${path}/`)) entries.set(below, kind)
    } else entries.set(path, entry.isFile() ? 'file' : 'other')
  }
  return entries
}
