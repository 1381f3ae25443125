import { translationLanguages } from '#contract/languages.ts'

/** Whose password it is; what is not known is left out. */
export interface PasswordOwner {
  email?: string
  username?: string
  firstName?: string
  lastName?: string
}

/** The product, what it does and its roles: docs/security.md, "Words that no password may be made of". */
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

/** Parts of addresses that name nobody. */
const emptyLabels = new Set(['www', 'com', 'org', 'net', 'edu', 'gov', 'mail', 'smtp', 'http', 'https', 'the', 'and'])

/** Shorter pieces stand in too many words to say anything. */
const minPieceLength = 3
/** A piece of a person's name of this length is refused wherever it stands; a shorter one where little else is there. */
const minNameLength = 4
/** What must be left of a password without the words it may not be made of, sequences and years: letters and digits. */
const minOwnCharacters = 6

/** Words of this installation: product, languages, the names in its addresses, and what the operator adds. */
export function installationWords({
  addresses,
  extraWords,
}: {
  /** Hosts, links or e-mail addresses of the organisation. */
  addresses: string[]
  extraWords: string[]
}): string[] {
  return toPieces([...productWords, ...languageWords, ...addresses.flatMap(labelsOf), ...extraWords])
}

/** `https://awaz.example.org:8443` and `Awaz <awaz@example.org>` have the labels `awaz` and `example`. */
function labelsOf(address: string): string[] {
  const host = address.replace(/^[a-z]+:\/\//i, '').replace(/[/:>].*$/, '')
  const name = host.slice(host.lastIndexOf('@') + 1)
  return /^[\d.]+$/.test(name) ? [] : name.split('.').slice(0, -1)
}

/** Whether a piece of the owner's address or names of four characters or more stands in the password. */
export function containsOwnName(password: string, owner: PasswordOwner): boolean {
  const forms = formsOf(password)
  const bare = forms.map((form) => form.replace(/[^\p{L}\p{N}]/gu, ''))
  return namesOf(owner)
    .filter((name) => name.length >= minNameLength)
    .some((name) => [...forms, ...bare].some((form) => form.includes(name)))
}

/** Whether little is left of the password without the words, the owner's names, sequences and years: `Pashto-123!`. */
export function isMadeOfWords(password: string, words: string[], owner: PasswordOwner): boolean {
  const domain = toPieces(labelsOf(owner.email ?? ''))
  const rest = withoutWords(password, [...words, ...domain, ...namesOf(owner)])
  return rest !== undefined && countOwnCharacters(rest) < minOwnCharacters
}

/** What no word of the list covers, with a space where one stood; undefined where none does. */
export function withoutWords(password: string, words: string[]): string | undefined {
  const plain = fold(password)
  const forms = formsOf(password)
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

/** Without runs of three and more neighbours, up or down: `abc`, `321`. */
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

function namesOf({ email = '', username = '', firstName = '', lastName = '' }: PasswordOwner): string[] {
  const localPart = email.replace(/@.*$/s, '')
  return [...(email && [fold(email)]), ...toPieces([localPart, username, firstName, lastName])]
}

/** Each text folded, its parts and the text without punctuation; short ones and empty labels left out. */
function toPieces(texts: string[]): string[] {
  const folded = texts.map(fold)
  const pieces = folded.flatMap((text) => [text, text.replace(/[^\p{L}\p{N}]/gu, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(pieces)].filter((piece) => piece.length >= minPieceLength && !emptyLabels.has(piece))
}

/** Lowercase without accents, so that `Pāshto` is `pashto`. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The folded password, and with digits and signs read as the letters they stand for; all of one length. */
export function formsOf(password: string): string[] {
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
