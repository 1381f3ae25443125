import { createPrivateKey, sign } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFile } from '#data/hash-file.ts'
import { checksumsFile, listReleaseFiles } from '../upgrade/release-files.ts'

/** Writes the SHA-256 of every file in a release folder to a file in it. */
export async function writeChecksums(folder: string): Promise<void> {
  const lines: string[] = []
  for (const path of await listReleaseFiles(folder))
    lines.push(`${(await hashFile(join(folder, path))).sha256}  ${path}\n`)
  await writeFile(join(folder, checksumsFile), lines.join(''))
}

/** Signs the checksums of a release folder, as `signFile` does. */
export function signChecksums(folder: string, keyFile: string): Promise<void> {
  return signFile(join(folder, checksumsFile), keyFile)
}

/**
 * Signs a file with a private key (Ed25519, PEM): the signature, in base64, is written beside it as `FILE.sig`.
 *
 * @throws Error where the key file holds another kind of key
 */
export async function signFile(file: string, keyFile: string): Promise<void> {
  const key = createPrivateKey(await readFile(keyFile))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${keyFile} is not an Ed25519 key.`)
  const signature = sign(null, await readFile(file), key)
  await writeFile(`${file}.sig`, `${signature.toString('base64')}\n`)
}
