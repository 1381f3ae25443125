import { open } from 'node:fs/promises'
import { Decrypter } from 'age-encryption'
import { AppError } from '#contract/app-error.ts'
import { ageVersionLine, type HeaderDecrypter } from '../format/age-stream.ts'

/** The passphrase and identities that the user gave to open archives with. */
export interface DecryptionKeys {
  passphrase?: string | undefined
  /** `AGE-SECRET-KEY-1…`. */
  identities: string[]
}

/**
 * Returns a decrypter for archives; undefined without any key. Reading an archive again does not repeat the second that scrypt takes.
 *
 * @throws AppError `invalid_input` for a string that is not an identity
 */
export function createDecrypter({ passphrase, identities }: DecryptionKeys): HeaderDecrypter | undefined {
  if (passphrase === undefined && identities.length === 0) return undefined
  const decrypter = new Decrypter()
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase)
  try {
    for (const identity of identities) decrypter.addIdentity(identity)
  } catch (cause) {
    throw new AppError('invalid_input', 'The identity file holds a line that is not an age identity.', { cause })
  }
  const opened = new Map<string, Uint8Array>()
  return {
    async decryptHeader(header) {
      const text = Buffer.from(header).toString('latin1')
      const fileKey = opened.get(text) ?? (await decrypter.decryptHeader(header))
      opened.set(text, fileKey)
      return fileKey
    },
  }
}

/** Whether the file begins like an age file. Throws `not_found` where it cannot be read. */
export async function isAgeFile(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw new AppError('not_found', `${path} cannot be read.`, { cause })
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ageVersionLine.length), 0, ageVersionLine.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === ageVersionLine
  } finally {
    await file.close()
  }
}
