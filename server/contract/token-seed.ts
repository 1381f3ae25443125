import { z } from 'zod'
import { t } from './texts/t.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** RFC 4226, section 4, requires at least 128 bits; no token has more than 64 bytes. */
const minBytes = 16
const maxBytes = 64
/** A random seed has at least this many different characters; one made up to get past the form does not. */
const minDifferent = 6

/**
 * Returns the seed of a hardware token in base32 (RFC 4648), the format that authenticator apps accept; undefined if it is not a seed.
 * Manufacturers print seeds in base32 or hex, often in groups.
 */
export function parseTokenSeed(text: string): string | undefined {
  const letters = text.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase()
  if (new Set(letters).size < minDifferent) return undefined
  // A base32 text without any letter beyond F is practically impossible.
  const seed = /^([0-9A-F]{2})+$/.test(letters) ? fromHex(letters) : letters
  const sizeBytes = Math.floor((seed.length * 5) / 8)
  const isBase32 = /^[A-Z2-7]+$/.test(seed) && ![1, 3, 6].includes(seed.length % 8)
  return isBase32 && sizeBytes >= minBytes && sizeBytes <= maxBytes ? seed : undefined
}

function fromHex(hex: string): string {
  const bits = Array.from(hex, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2))).join('')
}

export const tokenSeedMessage = t('Please enter the seed as base32 or hex, 16 to 64 bytes long')

/** The seed of a hardware token as printed by its manufacturer: base32 or hex. */
export const TokenSeed = z
  .string()
  .max(300)
  .refine((text) => parseTokenSeed(text) !== undefined, tokenSeedMessage)
