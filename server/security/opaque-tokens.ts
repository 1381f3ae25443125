import { createHash, randomBytes } from 'node:crypto'

/** Returns an opaque token of 256 random bits. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the hash under which an opaque token is stored: 256 random bits need no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
