/**
 * Prefix of the hash of a password in NFC. Hashes without it are older and used NFKC, which maps different characters to the same
 * (`ﬁ` to `fi`, `²` to `2`); signing in replaces them.
 */
const nfcPrefix = 'nfc'

/** A stored hash, and the normalization form of the password that was hashed. */
export interface StoredHash {
  bcryptHash: string
  form: 'NFC' | 'NFKC'
}

export function readStoredHash(stored: string): StoredHash {
  return stored.startsWith(nfcPrefix)
    ? { bcryptHash: stored.slice(nfcPrefix.length), form: 'NFC' }
    : { bcryptHash: stored, form: 'NFKC' }
}

export function toStoredHash(bcryptHash: string): string {
  return `${nfcPrefix}${bcryptHash}`
}

/**
 * Returns the password as it is hashed. It is only normalized: keyboards write the same `آ` as one code point or as two, and both
 * are the password. Distinguishable passwords stay different; nothing is trimmed, cut or folded (ASVS 5, 6.2.8; docs/security.md).
 */
export function normalizePassword(password: string, form: StoredHash['form'] = 'NFC'): string {
  return password.normalize(form)
}
