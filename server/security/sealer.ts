import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts what the server must read again: AES-256-GCM bound to the owner's id, base64 of nonce (12 bytes), tag (16), ciphertext. */
export function createSealer(key: Buffer) {
  function seal(text: string, ownerId: string): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(ownerId))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
  }

  function open(sealed: string, ownerId: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from(ownerId)).setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  }

  return { seal, open }
}
