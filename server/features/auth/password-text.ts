/**
 * Before a hash: this password was hashed in NFC. Hashes without it are older and took NFKC, which makes one character of
 * several (`ﬁ` became `fi`, `²` became `2`); signing in replaces them.
 */
const nfcMark = 'nfc'

/** A stored hash, and the form in which the password that is compared with it must be. */
export interface StoredHash {
  bcryptHash: string
  form: 'NFC' | 'NFKC'
}

export function readStoredHash(stored: string): StoredHash {
  return stored.startsWith(nfcMark)
    ? { bcryptHash: stored.slice(nfcMark.length), form: 'NFC' }
    : { bcryptHash: stored, form: 'NFKC' }
}

export function toStoredHash(bcryptHash: string): string {
  return `${nfcMark}${bcryptHash}`
}

/**
 * The password as it is hashed. NFC alone: keyboards write the same `آ` as one code point or as two, and both are the password;
 * nothing that can be told apart becomes equal, nothing is trimmed, cut or folded (ASVS 5, 6.2.8; docs/security.md).
 */
export function passwordText(password: string, form: StoredHash['form'] = 'NFC'): string {
  return password.normalize(form)
}
