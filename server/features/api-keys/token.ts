import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'

/** Prefix of all tokens, so that secret scanners recognize them. */
const mark = 'awz_'
const shape = /^awz_([0-9a-f]{12})_[\w-]{43}$/

export function isApiKeyToken(token: string): boolean {
  return token.startsWith(mark)
}

/** Returns a token of 256 random bits after a prefix, by which its key is found. */
export function createToken(): { token: string; prefix: string; tokenHash: string } {
  const prefix = randomBytes(6).toString('hex')
  const token = `${mark}${prefix}_${randomToken()}`
  return { token, prefix, tokenHash: hashToken(token) }
}

/** Returns the prefix of a token; undefined where its shape is not ours. */
export function prefixOf(token: string): string | undefined {
  return shape.exec(token)?.[1]
}

/** Returns the part of a token that remains visible to its owner. */
export function showPrefix(prefix: string): string {
  return `${mark}${prefix}`
}

/** Compares in constant time. */
export function matchesHash(token: string, tokenHash: string): boolean {
  const [computed, stored] = [Buffer.from(hashToken(token)), Buffer.from(tokenHash)]
  return computed.length === stored.length && timingSafeEqual(computed, stored)
}
