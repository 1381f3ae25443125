import { readTextFile } from '#engine/models/read-text-file.ts'

/** A word of a text. */
export interface TokenizedWord {
  /** Without surrounding spaces. */
  text: string
  /** Indices into the tokens of the text, ascending. */
  tokens: number[]
}

/** The text tokens of a Whisper model. Ids without an entry, such as timestamps, are ignored. */
export interface TokenTable {
  /**
   * Splits a text in a language with spaces between words. Joining the words with single spaces yields the text. Punctuation belongs to the
   * preceding word, and opening punctuation between two spaces to the following word.
   */
  words(ids: readonly number[]): TokenizedWord[]
  /** Returns the id of the token with exactly this text, including spaces; undefined if several tokens are needed. */
  find(text: string): number | undefined
  /** Whether a token begins with a space and therefore begins a word; false for ids without an entry. */
  beginsWord(id: number): boolean
  /** Returns the tokens of a text, by byte pair encoding. Bytes without a token are left out. */
  encode(text: string): number[]
}

/** `prepend_punctuations` of OpenAI's whisper/transcribe.py, and the opening quotation mark of Persian and Arabic. */
const openingPunctuation = /^[\s"'“«¿([{-]*$/u
const space = ' '
/** Pieces whose boundaries tokens never cross. Source: GPT-2's encoder.py, on whose vocabulary Whisper's are modeled. */
const pieces = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu

/**
 * Reads tokens.txt of a Whisper model for sherpa-onnx: each line has the bytes of a token in base64, which may be empty, and its id.
 *
 * @throws Error if the file has another format or no tokens; the errors of `readTextFile`
 */
export async function readTokenTable(path: string): Promise<TokenTable> {
  const bytesById = parseTokens(await readTextFile(path), path)
  const idByBytes = new Map([...bytesById].map(([id, bytes]) => [bytes, id]))
  return {
    words: (ids) => splitWords(ids.map((id) => bytesById.get(id))),
    find: (text) => idByBytes.get(Buffer.from(text).toString('latin1')),
    beginsWord: (id) => bytesById.get(id)?.startsWith(space) === true,
    encode: (text) => [...text.matchAll(pieces)].flatMap(([piece]) => encodePiece(piece, idByBytes)),
  }
}

/** Returns the bytes of each token, as a string with one character per byte. */
function parseTokens(text: string, path: string): Map<number, string> {
  const bytesById = new Map<number, string>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [, base64 = '', id] = /^([A-Za-z0-9+/]*={0,2})\s+(\d+)\s*$/u.exec(line) ?? []
    if (id === undefined) throw new Error(`Line ${index + 1} of ${path} is not a token in base64 and its id`)
    bytesById.set(Number(id), Buffer.from(base64, 'base64').toString('latin1'))
  }
  if (bytesById.size === 0) throw new Error(`${path} has no tokens`)
  return bytesById
}

/** Decodes bytes, dropping those of incomplete letters. */
function decode(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\uFFFD', '').trim()
}

/**
 * Only a space begins a word. OpenAI's split_to_word_tokens also splits before ASCII punctuation, but keeps the spaces: without them "10,000"
 * would become "10 ,000". A space is never part of a letter, so letters that are split across tokens stay whole.
 */
function splitWords(tokens: readonly (string | undefined)[]): TokenizedWord[] {
  const words: { bytes: string; tokens: number[] }[] = []
  for (const [index, bytes] of tokens.entries()) {
    if (bytes === undefined) continue
    const word = words.at(-1)
    const isNew = !word || (bytes.startsWith(space) && !openingPunctuation.test(decode(word.bytes)))
    if (isNew) words.push({ bytes, tokens: [index] })
    else {
      word.bytes += bytes
      word.tokens.push(index)
    }
  }
  return words.map(({ bytes, tokens }) => ({ text: decode(bytes), tokens })).filter(({ text }) => text !== '')
}

/** Joins the bytes of a piece, always merging the two adjacent parts whose token has the lowest id, which is its rank. */
function encodePiece(piece: string, idByBytes: ReadonlyMap<string, number>): number[] {
  const parts = [...Buffer.from(piece).toString('latin1')]
  const rankAt = (at: number) => idByBytes.get(`${parts[at]}${parts[at + 1]}`) ?? Number.POSITIVE_INFINITY
  while (parts.length > 1) {
    const ranks = parts.slice(1).map((_, at) => rankAt(at))
    const lowest = ranks.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
    if (lowest === Number.POSITIVE_INFINITY) break
    const at = ranks.indexOf(lowest)
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`)
  }
  return parts.flatMap((part) => idByBytes.get(part) ?? [])
}
