import { createPublicKey, verify } from 'node:crypto'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { ifExists } from '#data/if-exists.ts'
import { hashFile } from '#data/restore-points/make-restore-point.ts'

/** In a release folder: the SHA-256 of every other file, as `sha256sum --check` reads it. */
export const checksumsFile = 'SHA256SUMS'
/** Signature of that file by an Ed25519 key, in base64. */
export const signatureFile = 'SHA256SUMS.sig'
/** What an installation adds to its folder: see scripts/release/awaz.sh. */
const ownFiles = /^(?:data(?:\/|$)|\.env$)/

export interface ReleaseCheck {
  files: number
  /** A sentence for each file that is damaged, missing or not of the release, and for a signature that is wrong. */
  problems: string[]
  signature: 'unsigned' | 'unchecked' | 'valid' | 'invalid'
}

/**
 * Compares every file of a release folder with its checksums, and these with their signature where a public key (PEM) is given: a release without a
 * signature is then a problem.
 */
export async function checkRelease(folder: string, keyFile?: string): Promise<ReleaseCheck> {
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
  for (const path of await listReleaseFiles(folder)) {
    if (!sums.has(path) && !ownFiles.test(path)) problems.push(`${path} does not belong to the release.`)
  }
  const signature = await checkSignature(folder, listed, keyFile)
  if (signature === 'invalid') problems.unshift('The signature is not by this key, or the checksums were changed.')
  if (signature === 'unsigned' && keyFile !== undefined) problems.unshift('The release is unsigned.')
  return { files: sums.size, problems, signature }
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

/** Lists the files below a release folder by their paths, without what describes them: checksums and signature. Links are listed, not followed. */
export async function listReleaseFiles(folder: string): Promise<string[]> {
  const paths: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    if (name === 'data' || name.startsWith('data/')) continue
    if (!(await lstat(join(folder, name))).isDirectory()) paths.push(relative(folder, join(folder, name)))
  }
  return paths.filter((path) => path !== checksumsFile && path !== signatureFile).toSorted()
}
