import { createHmac, hkdfSync } from 'node:crypto'

export interface BlobKeys {
  /** Returns the name of a file from the SHA-256 of its content. */
  nameOf(sha256: string): string
  /** Passphrase of every blob. */
  passphrase: string
}

/**
 * Derives the keys that name and encrypt the files beside archives from the master key of an instance (HKDF, RFC 5869). Every archive
 * holds the master key, so anyone who can open an archive can open its files, and a new passphrase does not require encrypting them
 * again. The names do not reveal the hash of a recording.
 */
export function deriveBlobKeys(masterKey: Buffer): BlobKeys {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', masterKey, '', `awaz backup ${use}`, 32))
  const nameKey = derive('blob-names')
  return {
    nameOf: (sha256) => createHmac('sha256', nameKey).update(Buffer.from(sha256, 'hex')).digest('hex'),
    passphrase: derive('blobs').toString('base64url'),
  }
}
