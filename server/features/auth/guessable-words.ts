import { translationLanguages } from '#contract/languages.ts'

/** The owner of the password; unknown fields are omitted. */
export interface PasswordOwner {
  email?: string
  username?: string
  firstName?: string
  lastName?: string
}

/** Words of the product, its features and its roles: docs/security.md, "Words that no password may be made of". */
const productWords = [
  'awaz',
  'awaaz',
  'transcribe',
  'transcriber',
  'transcript',
  'transcription',
  'translate',
  'translator',
  'translation',
  'whisper',
  'llama',
  'speech',
  'speaker',
  'voice',
  'audio',
  'recording',
  'recorder',
  'keyword',
  'upload',
  'subtitle',
  'dashboard',
  'workspace',
  'super',
  'admin',
  'administrator',
  'operator',
  'user',
  'account',
  'login',
  'signin',
  'signup',
  'support',
  'server',
  'service',
  'localhost',
]

const languageWords = Object.values(translationLanguages).flatMap(({ name, nativeName }) => [name, nativeName])

/** Parts of addresses that identify no one. */
const emptyLabels = new Set(['www', 'com', 'org', 'net', 'edu', 'gov', 'mail', 'smtp', 'http', 'https', 'the', 'and'])

/** Shorter pieces occur in too many words to matter. */
const minPieceLength = 3
/** A part of a person's name that is at least this long is refused anywhere; a shorter one only if little else is left. */
const minNameLength = 4
/** Number of letters and digits that must remain once guessable words, sequences and years are taken out of a password. */
const minOwnCharacters = 6

/** Returns the words of this installation: product, languages, names in its addresses, and words added by the operator. */
export function installationWords({
  addresses,
  extraWords,
}: {
  /** Hosts, links or e-mail addresses of the organisation. */
  addresses: string[]
  extraWords: string[]
}): string[] {
  return toPieces([...productWords, ...languageWords, ...addresses.flatMap(listLabels), ...extraWords])
}

/** Returns all labels of an address except the last: `awaz` and `example` for `https://awaz.example.org:8443`. */
function listLabels(address: string): string[] {
  const host = address.replace(/^[a-z]+:\/\//i, '').replace(/[/:>].*$/, '')
  const name = host.slice(host.lastIndexOf('@') + 1)
  return /^[\d.]+$/.test(name) ? [] : name.split('.').slice(0, -1)
}

/** Returns whether the password contains a piece of at least four characters from the owner's address or names. */
export function containsOwnName(password: string, owner: PasswordOwner): boolean {
  const forms = listForms(password)
  const bare = forms.map((form) => form.replace(/[^\p{L}\p{N}]/gu, ''))
  return listNames(owner)
    .filter((name) => name.length >= minNameLength)
    .some((name) => [...forms, ...bare].some((form) => form.includes(name)))
}

/** Returns whether little is left of the password once the words, the owner's names, sequences and years are removed: `Pashto-123!`. */
export function isMadeOfWords(password: string, words: string[], owner: PasswordOwner): boolean {
  const domain = toPieces(listLabels(owner.email ?? ''))
  const rest = withoutWords(password, [...words, ...domain, ...listNames(owner)])
  return rest !== undefined && countOwnCharacters(rest) < minOwnCharacters
}

/** Returns the password with each listed word replaced by spaces; undefined if it contains none. */
export function withoutWords(password: string, words: string[]): string | undefined {
  const plain = fold(password)
  const forms = listForms(password)
  const isCovered = Array.from({ length: plain.length }, () => false)
  for (const word of words) {
    for (const form of forms) {
      for (let at = form.indexOf(word); at >= 0; at = form.indexOf(word, at + 1))
        isCovered.fill(true, at, at + word.length)
    }
  }
  if (!isCovered.includes(true)) return undefined
  return [...plain.split('').keys()].map((at) => (isCovered[at] ? ' ' : plain[at])).join('')
}

function countOwnCharacters(rest: string): number {
  const own = rest
    .replace(/(?:19|20)\d\d/g, '')
    .replace(/(.)\1{2,}/gsu, '')
    .replace(/[\p{L}\p{N}]+/gu, withoutSequences)
    .replace(/[^\p{L}\p{N}]/gu, '')
  return [...own].length
}

/** Removes ascending and descending runs of three or more: `abc`, `321`. */
function withoutSequences(run: string): string {
  const codes = run.split('').map((character) => character.charCodeAt(0))
  const stepAt = (at: number) => (codes[at] ?? Number.NaN) - (codes[at - 1] ?? Number.NaN)
  const isInSequence = (at: number) =>
    [at - 1, at, at + 1].some((middle) => Math.abs(stepAt(middle)) === 1 && stepAt(middle) === stepAt(middle + 1))
  return run
    .split('')
    .filter((_, at) => !isInSequence(at))
    .join('')
}

function listNames({ email = '', username = '', firstName = '', lastName = '' }: PasswordOwner): string[] {
  const localPart = email.replace(/@.*$/s, '')
  return [...(email && [fold(email)]), ...toPieces([localPart, username, firstName, lastName])]
}

/** Returns for each text its folded form, its parts, and the text without punctuation; short pieces and empty labels are dropped. */
function toPieces(texts: string[]): string[] {
  const folded = texts.map(fold)
  const pieces = folded.flatMap((text) => [text, text.replace(/[^\p{L}\p{N}]/gu, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(pieces)].filter((piece) => piece.length >= minPieceLength && !emptyLabels.has(piece))
}

/** Lowercases and removes accents: `Pāshto` becomes `pashto`. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Returns the folded password, also with digits and punctuation read as the letters they resemble; all forms have the same length. */
export function listForms(password: string): string[] {
  const plain = fold(password)
  const unleeted = plain
    .replace(/[@4]/g, 'a')
    .replace(/3/g, 'e')
    .replace(/[!|]/g, 'i')
    .replace(/0/g, 'o')
    .replace(/[$5]/g, 's')
    .replace(/7/g, 't')
  return [plain, unleeted.replace(/1/g, 'i'), unleeted.replace(/1/g, 'l')]
}
