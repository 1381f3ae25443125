import { createPublicKey, verify } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { ifExists } from '#data/if-exists.ts'
import { hashFile } from '#data/restore-points/make-restore-point.ts'

/** In a release folder: the SHA-256 of every other file, as `sha256sum --check` reads it. */
export const checksumsFile = 'SHA256SUMS'
/** Signature of that file by an Ed25519 key, in base64. */
export const signatureFile = 'SHA256SUMS.sig'
/** What an installation adds to its folder where its settings name no other place: see scripts/release/awaz.sh. */
const installedPaths = ['.env', 'data']

export interface ReleaseCheck {
  files: number
  /** A sentence for each file that is damaged, missing or not of the release, and for a signature that is wrong. */
  problems: string[]
  /** Settings and data of this installation in the folder, where they are expected; the checksums do not cover them. */
  added: string[]
  signature: 'unsigned' | 'unchecked' | 'valid' | 'invalid'
}

interface CheckOptions {
  /** Public key (PEM, Ed25519). A release without a signature is then a problem. */
  keyFile?: string | undefined
  /** Whether Awaz was installed in this folder, so that its settings (`.env`) and `data` may lie there. Default false: both would be used when it starts. */
  isInstalled?: boolean
}

/** Compares every file of a release folder with its checksums, and these with their signature where a public key is given. */
export async function checkRelease(folder: string, options: CheckOptions = {}): Promise<ReleaseCheck> {
  const { keyFile, isInstalled = false } = options
  const listed = await ifExists(() => readFile(join(folder, checksumsFile)))
  if (!listed) {
    throw new AppError('not_found', `${folder} is no release: it has no ${checksumsFile}.`, {
      help: 'Name the folder that the archive unpacks.',
    })
  }
  const sums = parseChecksums(listed.toString('utf8'))
  const problems: string[] = []
  for (const [path, sum] of sums) {
    const actual = await ifExists(() => hashFile(join(folder, path)))
    if (actual === undefined) problems.push(`${path} is missing.`)
    else if (actual !== sum) problems.push(`${path} is not the file of the release.`)
  }
  const others = (await listReleaseFiles(folder)).filter((path) => !sums.has(path))
  const added = others.filter((path) => isInstalled && installedPaths.includes(path))
  for (const path of others) if (!added.includes(path)) problems.push(`${path} does not belong to the release.`)
  const signature = await checkSignature(folder, listed, keyFile)
  if (signature === 'invalid') problems.unshift('The signature is not by this key, or the checksums were changed.')
  if (signature === 'unsigned' && keyFile !== undefined) problems.unshift('The release is unsigned.')
  return { files: sums.size, problems, added, signature }
}

async function checkSignature(
  folder: string,
  signed: Buffer,
  keyFile: string | undefined,
): Promise<ReleaseCheck['signature']> {
  const text = await ifExists(() => readFile(join(folder, signatureFile), 'utf8'))
  if (text === undefined) return 'unsigned'
  if (keyFile === undefined) return 'unchecked'
  const key = await readKey(keyFile)
  return verify(null, signed, key, Buffer.from(text, 'base64')) ? 'valid' : 'invalid'
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

/** Returns the checksums by path. */
function parseChecksums(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '')
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
}

/**
 * Lists the files below a release folder by their paths, without what describes them: checksums and signature. Links are listed, not followed, and of
 * the folder `data` only its name: it may hold thousands of recordings.
 */
export async function listReleaseFiles(folder: string): Promise<string[]> {
  const paths = await listFiles(folder, '')
  return paths.filter((path) => path !== checksumsFile && path !== signatureFile).toSorted()
}

async function listFiles(folder: string, prefix: string): Promise<string[]> {
  const paths: string[] = []
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const path = `${prefix}${entry.name}`
    if (entry.isDirectory() && path !== 'data') paths.push(...(await listFiles(folder, `${path}/`)))
    else paths.push(path)
  }
  return paths
}
